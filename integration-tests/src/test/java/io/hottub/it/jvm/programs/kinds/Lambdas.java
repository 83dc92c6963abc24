// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.List;
import java.util.function.Supplier;

/** Lambdas and references to methods, the first of which initialize their interfaces. */
public class Lambdas extends Kind {
  /** Enough for C2. */
  private static final int REPEATS = 20_000;

  private static StringBuilder initialized = new StringBuilder();

  private static String initialize(String name) {
    initialized.append(name).append(' ');
    return name;
  }

  interface Plain {
    String NAME = initialize("Plain");

    String get();

    default String name() {
      return NAME;
    }
  }

  interface Capturing {
    String NAME = initialize("Capturing");

    String get();

    default String name() {
      return NAME;
    }
  }

  interface Referring {
    String NAME = initialize("Referring");

    String get();

    default String name() {
      return NAME;
    }
  }

  interface Base {
    String NAME = initialize("Base");

    default String name() {
      return NAME;
    }
  }

  /** Has no initializer itself. */
  interface Derived extends Base {
    String get();
  }

  interface Marker {
    String NAME = initialize("Marker");

    default String mark() {
      return NAME;
    }
  }

  /** Of which nothing is initialized: it has no code. */
  interface Abstract {
    String NAME = initialize("Abstract");

    String get();
  }

  private static boolean fails;

  /** In a probe only. */
  interface Failing {
    Object FAILS = fails ? List.of().get(0) : null;

    String get();

    default String name() {
      return "Failing";
    }
  }

  private static String text() {
    return "text";
  }

  private static String plain() {
    Plain plain = () -> "plain";
    return initialized + plain.get();
  }

  private static String capturing(String value) {
    Capturing capturing = () -> value;
    return initialized + capturing.get();
  }

  private static String referring() {
    Referring referring = Lambdas::text;
    return initialized + referring.get();
  }

  private static String derived() {
    Derived derived = () -> "derived";
    return initialized + derived.get();
  }

  private static String marked() {
    Object marked = (Supplier<String> & Marker) () -> "marked";
    return initialized.toString() + (marked instanceof Marker);
  }

  private static String unused() {
    Abstract unused = () -> "abstract";
    return initialized + unused.get();
  }

  private static String failing() {
    Failing failing = () -> "failing";
    return failing.get();
  }

  @Override
  protected void dirty() {
    int length = 0;
    for (int i = 0; i < REPEATS; i++) {
      length += plain().length() + capturing("" + i).length() + referring().length();
      length += derived().length() + marked().length() + unused().length();
    }
    KEPT.add(length + failing());
  }

  @Override
  protected void probe() {
    fails = true;
    show("before", () -> initialized);
    for (int i = 0; i < 2; i++) {
      show("plain", Lambdas::plain);
      show("capturing", () -> capturing("captured"));
      show("referring", Lambdas::referring);
      show("derived", Lambdas::derived);
      show("marked", Lambdas::marked);
      show("unused", Lambdas::unused);
      show("failing", Lambdas::failing);
    }
  }
}
