// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import sun.misc.Signal;

/** Ends while the JVM still hands out its signals, each to a thread of its own. */
public final class LateSignals {
  private static final int SIGNALS = 200;

  private LateSignals() {}

  public static void main(String[] args) {
    Signal signal = new Signal("WINCH");
    Signal.handle(signal, s -> Runtime.getRuntime().exit(2));
    for (int i = 0; i < SIGNALS; i++) {
      Signal.raise(signal);
    }
    Runtime.getRuntime().halt(3);
  }
}
