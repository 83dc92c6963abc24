// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.lang;

import java.lang.instrument.Instrumentation;

/** Takes over what the JDK's library for agents has made for {@code agent.jar}. */
@SuppressWarnings("exports") // java.base does not know java.instrument; the two meet in one loader
public final class HotTubAgent {
  private static Object made;

  private HotTubAgent() {}

  /** Is called by that library. */
  public static synchronized void agentmain(String options, Instrumentation instrumentation) {
    made = instrumentation;
  }

  static synchronized Object take() {
    Object taken = made;
    made = null;
    return taken;
  }
}
