// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Says hello. */
public class Hello {
  public static void main(String[] args) {
    System.out.println("Hello, world");
  }
}
