// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Sleeps for so many ms. */
public class Hold {
  public static void main(String[] args) throws Exception {
    Thread.sleep(Long.parseLong(args[0]));
  }
}
