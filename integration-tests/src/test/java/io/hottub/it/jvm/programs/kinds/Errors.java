// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

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

  private static String missing(Callable<?> value) {
    try {
      return String.valueOf(value.call());
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

  /** A call site whose bootstrap method is not even called. */
  private static Object lambda() {
    Supplier<Missing> make = Missing::new;
    return make.get();
  }

  @Override
  protected void dirty() {
    missing(() -> new Missing());
    missing(Errors::lambda);
    failing();
  }

  @Override
  protected void probe() {
    for (int i = 0; i < 2; i++) {
      show("missing class", () -> missing(() -> new Missing()));
      show("lambda of a missing class", () -> missing(Errors::lambda));
      show("failing initializer", Errors::failing);
    }
  }
}
