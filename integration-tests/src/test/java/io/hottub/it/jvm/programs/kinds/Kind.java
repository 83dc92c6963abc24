// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import javax.management.ObjectName;

/** A kind of state of a JVM: how a run can change it, and how a later one would notice. */
public abstract class Kind {
  /** What a dirty run holds until its end. */
  protected static final List<Object> KEPT = new ArrayList<>();

  /** Changes all of it. */
  protected abstract void dirty() throws Exception;

  /** Shows all of it. */
  protected abstract void probe() throws Exception;

  protected final void show(String name, Callable<?> value) {
    String text;
    try {
      Object v = value.call();
      text = v instanceof Object[] array ? Arrays.toString(array) : String.valueOf(v);
    } catch (Throwable e) {
      text = "throws " + e;
    }
    System.out.printf("%s, %s: %s%n", getClass().getSimpleName(), name, text.replace("\n", "\\n"));
  }

  /** What a diagnostic command of this JVM says, as by jcmd. */
  protected static String command(String operation, String... arguments) throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                operation,
                new Object[] {arguments},
                new String[] {String[].class.getName()});
  }

  protected static String nameOf(Object o) {
    return o == null ? "null" : o.getClass().getName();
  }

  /** Program: probe or dirty, then the names of kinds. */
  public static void main(String[] args) throws Exception {
    for (String name : args[1].split(",")) {
      Kind kind = (Kind) Class.forName("kinds." + name).getDeclaredConstructor().newInstance();
      if (args[0].equals("probe")) {
        kind.probe();
      } else {
        kind.dirty();
      }
    }
    System.out.println("end of " + args[0]);
    System.exit(0); // with all that its kinds have started
  }
}
