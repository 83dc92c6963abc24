// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;

/** What class loaders that outlive a run remember for others, such as proxy classes. */
public final class HotTubLoaderValues {
  private static final String UNFINISHED = "jdk.internal.loader.AbstractClassLoaderValue$Memoizer";

  /** Each key that stays is one of these, or made of one and others. */
  private static final Set<Object> KEPT = new HashSet<>();

  private HotTubLoaderValues() {}

  /** Before the first run: what is there stays. */
  public static void prepare() throws ReflectiveOperationException {
    maps().forEach(map -> KEPT.addAll(map.keySet()));
    Class<?> builder = Class.forName("java.lang.reflect.Proxy$ProxyBuilder");
    KEPT.add(HotTubFields.field(Proxy.class, "proxyCache").get(null));
    KEPT.add(HotTubFields.field(builder, "reverseProxyCache").get(null));
    KEPT.add(HotTubFields.field(builder, "dynProxyModules").get(null));
  }

  private static List<Map<?, ?>> maps() {
    JavaLangAccess access = SharedSecrets.getJavaLangAccess();
    return List.of(
        BootLoader.getClassLoaderValueMap(),
        access.createOrGetClassLoaderValueMap(ClassLoaders.platformClassLoader()),
        access.createOrGetClassLoaderValueMap(ClassLoaders.appClassLoader()));
  }

  /** Forgets what the run has put there, but for the proxy classes, which every run may use. */
  public static void forgetValues() {
    maps().forEach(map -> map.entrySet().removeIf(HotTubLoaderValues::isOfRun));
  }

  /**
   * Whether it is what a thread was computing when its run ended (whoever asked for it would be
   * told that it does so from within the computation), or of another class of the JDK that
   * remembers objects for each class loader, such as levels of loggers.
   */
  private static boolean isOfRun(Map.Entry<?, ?> value) {
    if (value.getValue().getClass().getName().equals(UNFINISHED)) {
      return true;
    }
    Object key = value.getKey();
    while (!KEPT.contains(key) && key instanceof AbstractClassLoaderValue<?, ?>.Sub<?> sub) {
      key = sub.parent();
    }
    return !KEPT.contains(key);
  }

  /**
   * Forgets the names that were looked for: a loader keeps an object to lock for each, of classes
   * that there are not, too.
   */
  public static void forgetNames() {
    forgetNames(ClassLoaders.platformClassLoader());
    forgetNames(ClassLoaders.appClassLoader());
  }

  private static void forgetNames(ClassLoader loader) {
    ((Map<?, ?>) HotTubFields.ofLoader(loader, "parallelLockMap")).clear();
  }
}
