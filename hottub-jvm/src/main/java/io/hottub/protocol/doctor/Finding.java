// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import java.util.Locale;

/**
 * What a check has found.
 *
 * @param text what is so, one line
 * @param todo what the operator should do, one line; empty where nothing is to be done
 */
public record Finding(Result result, String text, String todo) {
  /** How it is. Only what has failed keeps HotTub from working as it is meant to. */
  public enum Result {
    OK,
    WARNING,
    FAILED,
    NOT_APPLICABLE;

    /** The word for it, also in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public static Finding ok(String text) {
    return new Finding(Result.OK, text, "");
  }

  public static Finding warning(String text, String todo) {
    return new Finding(Result.WARNING, text, todo);
  }

  public static Finding failed(String text, String todo) {
    return new Finding(Result.FAILED, text, todo);
  }

  public static Finding notApplicable(String text) {
    return new Finding(Result.NOT_APPLICABLE, text, "");
  }
}
