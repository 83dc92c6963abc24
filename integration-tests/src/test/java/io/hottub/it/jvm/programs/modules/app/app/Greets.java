// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package app;

import java.util.ServiceLoader;

/**
 * Prints what a program of the module path sees of its modules and the classes that it is given,
 * and counts its own calls.
 */
public class Greets {
  private static int calls;

  public static void main(String[] args) throws Exception {
    calls++;
    Module module = Greets.class.getModule();
    System.out.println(module + " " + module.getLayer().equals(ModuleLayer.boot()) + " " + calls);
    System.out.println(Greets.class.getProtectionDomain().getCodeSource().getLocation());
    System.out.println(Greets.class.getResource("Greets.class"));
    for (Greeting greeting : ServiceLoader.load(Greeting.class)) {
      System.out.println(greeting.getClass().getModule() + " " + greeting.greeting());
      System.out.println(module.canRead(greeting.getClass().getModule()));
    }
    for (String name : args) {
      System.out.println(Class.forName(name).getModule());
    }
    System.exit(calls - 1);
  }
}
