// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Prints the time of its first instruction. */
public class Clock {
  public static void main(String[] args) {
    long now = System.nanoTime();
    System.out.println(now);
  }
}
