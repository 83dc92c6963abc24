// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

/** What {@link SmokeCheck} runs. */
public final class Hello {
  static final String TEXT = "hello";

  private Hello() {}

  public static void main(String[] args) {
    System.out.println(TEXT);
  }
}
