// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package service;

import app.Greeting;
import java.io.IOException;
import java.io.InputStream;

/** Counts its greetings, and has a resource. */
public class Counting implements Greeting {
  private static int greetings;

  @Override
  public String greeting() {
    try (InputStream words = Counting.class.getResourceAsStream("words")) {
      return "hello " + ++greetings + new String(words.readAllBytes());
    } catch (IOException e) {
      return e.toString();
    }
  }
}
