// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.module;

import static jdk.internal.loader.HotTubFields.field;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import jdk.internal.loader.ClassLoaders;

/**
 * What modules of the boot layer read, export, open and use beyond their declarations. A run can
 * add to it, and the VM and compiled code know of it: nothing can be taken back, except the access
 * that jdk.jfr gives to modules with event classes and takes of java.base's, for which only its own
 * code asks.
 */
public final class HotTubModules {
  private static Map<?, ?> reads;
  private static Map<?, ?> exports;
  private static Map<?, ?> uses;
  private static Field peer;
  private static Set<Object> eventsAtStart;
  private static int atStart;

  private static final Set<String> EVENT_PACKAGES =
      Set.of(
          "jdk.jfr.internal.handlers",
          "jdk.jfr.events",
          "jdk.jfr.internal.instrument",
          "jdk.internal.event");

  private HotTubModules() {}

  /** Before S0. */
  public static void prepare() throws ReflectiveOperationException {
    Class<?> holder = Class.forName("java.lang.Module$ReflectionData");
    Field map = field(Class.forName("java.lang.WeakPairMap"), "map");
    reads = (Map<?, ?>) map.get(field(holder, "reads").get(null));
    exports = (Map<?, ?>) map.get(field(holder, "exports").get(null));
    uses = (Map<?, ?>) map.get(field(holder, "uses").get(null));
    peer = field(Class.forName("java.lang.WeakPairMap$Pair$Weak"), "peer");
    eventsAtStart = eventPairs();
    atStart = additions();
  }

  /** From jdk.jfr or to it. */
  private static Set<Object> eventPairs() throws ReflectiveOperationException {
    Set<Object> pairs = new HashSet<>(exports.keySet());
    pairs.addAll(reads.keySet());
    for (Iterator<Object> all = pairs.iterator(); all.hasNext(); ) {
      Object pair = all.next();
      if (!isOfEvents(((Reference<?>) pair).get())
          && !isOfEvents(((Reference<?>) peer.get(pair)).get())) {
        all.remove();
      }
    }
    return pairs;
  }

  private static boolean isOfEvents(Object module) {
    return module instanceof Module m && "jdk.jfr".equals(m.getName());
  }

  /** Says what has changed since S0 and cannot be taken back; null if nothing has. */
  public static String change() throws ReflectiveOperationException {
    Set<Object> pairs = eventPairs();
    pairs.removeAll(eventsAtStart);
    for (Object pair : pairs) {
      reads.remove(pair);
      if (exports.get(pair) instanceof Map<?, ?> packages) {
        packages.keySet().removeAll(EVENT_PACKAGES);
      }
    }
    return additions() == atStart ? null : "a module was given access that it did not declare";
  }

  /** They are only ever added, so their number tells. */
  private static int additions() throws ReflectiveOperationException {
    int count = 0;
    for (Map<?, ?> table : new Map<?, ?>[] {reads, exports, uses}) {
      for (var entry : table.entrySet()) {
        Object from = ((Reference<?>) entry.getKey()).get();
        Object to = ((Reference<?>) peer.get(entry.getKey())).get();
        if (from instanceof Module module && module.getLayer() == ModuleLayer.boot() && stays(to)) {
          count += number(entry.getValue());
        }
      }
    }
    return count;
  }

  /** An opened package counts twice: it may have been exported before. */
  private static int number(Object value) {
    if (!(value instanceof Map<?, ?> packages)) {
      return 1;
    }
    int count = 0;
    for (Object isOpen : packages.values()) {
      count += isOpen == Boolean.TRUE ? 2 : 1;
    }
    return count;
  }

  /** Not a module or class of the run, nor a module that the JDK made for proxies. */
  private static boolean stays(Object to) {
    if (to instanceof Class<?> service) {
      return isBuiltIn(service.getClassLoader());
    }
    return to instanceof Module module
        && isBuiltIn(module.getClassLoader())
        && (!module.isNamed() || module.getLayer() == ModuleLayer.boot());
  }

  private static boolean isBuiltIn(ClassLoader loader) {
    return loader == null
        || loader == ClassLoaders.platformClassLoader()
        || loader == ClassLoaders.appClassLoader();
  }
}
