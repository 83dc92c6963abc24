// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import java.util.List;

/**
 * What a setting may be, for those who read of it or set it. How it reads as text is what the
 * documentation and the log say.
 */
public sealed interface ValueForm {
  /**
   * A whole number.
   *
   * @param min the smallest that is allowed
   * @param max the largest that is allowed
   * @param unit what is counted
   */
  record WholeNumber(int min, int max, String unit) implements ValueForm {
    @Override
    public String toString() {
      return min + " to " + max + " " + unit;
    }
  }

  /** On or off. */
  record Flag() implements ValueForm {
    @Override
    public String toString() {
      return "true or false";
    }
  }

  /** One of a few words. */
  record Choice(List<String> words) implements ValueForm {
    @Override
    public String toString() {
      return String.join(" or ", words);
    }
  }

  /**
   * A text.
   *
   * @param allowed regular expression for all of it
   * @param about what that allows, for readers
   */
  record Text(String allowed, String about) implements ValueForm {
    @Override
    public String toString() {
      return about;
    }
  }

  /** A path on the node. */
  record AbsolutePath() implements ValueForm {
    @Override
    public String toString() {
      return "absolute path";
    }
  }

  /** Where to listen. */
  record Address() implements ValueForm {
    @Override
    public String toString() {
      return "host:port";
    }
  }
}
