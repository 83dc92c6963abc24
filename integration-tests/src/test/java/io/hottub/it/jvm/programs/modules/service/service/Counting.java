// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package service;

import app.Greeting;

/** Counts its greetings. */
public class Counting implements Greeting {
  private static int greetings;

  @Override
  public String greeting() {
    return "hello " + ++greetings;
  }
}
