// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

/** Classes of events for the flight recorder, as libraries have them that never start it. */
public class Events extends Kind {
  @Name("kinds.Own")
  @Label("own event")
  public static class Own extends Event {
    int number;
  }

  @Name("kinds.Other")
  @Period("1 s")
  public static class Other extends Event {
    String text;
  }

  private static boolean isExported(String name, Module to) {
    return ModuleLayer.boot().findModule("jdk.jfr").get().isExported(name, to);
  }

  @Override
  protected void dirty() throws Exception {
    for (int i = 0; i < 100; i++) {
      Own own = new Own();
      own.begin();
      own.number = i;
      own.commit();
      new Other().commit();
    }
    FlightRecorder.addPeriodicEvent(Other.class, () -> System.out.println("WRONG: period"));
  }

  @Override
  protected void probe() throws Exception {
    for (Module to : List.of(Events.class.getModule(), Object.class.getModule())) {
      show("writers exported before", () -> isExported("jdk.jfr.internal.handlers", to));
    }
    show("recorder", () -> FlightRecorder.isInitialized());
    Own own = new Own();
    show("enabled", own::isEnabled);
    show("should commit", own::shouldCommit);
    own.commit();
    show("type", () -> EventType.getEventType(Own.class).getName());
    show("label", () -> EventType.getEventType(Own.class).getLabel());
    for (Module to : List.of(Events.class.getModule(), Object.class.getModule())) {
      show("writers exported after", () -> isExported("jdk.jfr.internal.handlers", to));
    }
  }
}
