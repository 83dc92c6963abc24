// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Failures that the JVM remembers: missing classes, failed initializers. */
public class Errors extends Kind {
  static int attempts;

  static class Fails {
    static {
      if (++attempts < 3) {
        throw new IllegalStateException("attempt " + attempts);
      }
    }
  }

  private static String missing() {
    try {
      return String.valueOf(new Missing());
    } catch (Throwable e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      return text.toString();
    }
  }

  private static String failing() {
    try {
      return new Fails().toString();
    } catch (Throwable e) {
      return e + ", caused by " + e.getCause();
    }
  }

  @Override
  protected void dirty() {
    missing();
    failing();
  }

  @Override
  protected void probe() {
    for (int i = 0; i < 2; i++) {
      show("missing class", Errors::missing);
      show("failing initializer", Errors::failing);
    }
  }
}
