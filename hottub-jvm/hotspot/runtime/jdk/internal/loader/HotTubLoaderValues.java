// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package jdk.internal.loader;

import java.util.Iterator;
import java.util.Map;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;

/** What class loaders that outlive a run remember for others, such as proxy classes. */
public final class HotTubLoaderValues {
  private static final String UNFINISHED = "jdk.internal.loader.AbstractClassLoaderValue$Memoizer";

  private HotTubLoaderValues() {}

  /**
   * Forgets the values that a thread was computing when its run ended. Whoever asked for them would
   * be told that it does so from within the computation.
   */
  public static void forgetUnfinished() {
    JavaLangAccess access = SharedSecrets.getJavaLangAccess();
    forgetUnfinished(BootLoader.getClassLoaderValueMap());
    forgetUnfinished(access.createOrGetClassLoaderValueMap(ClassLoaders.platformClassLoader()));
    forgetUnfinished(access.createOrGetClassLoaderValueMap(ClassLoaders.appClassLoader()));
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

  private static void forgetUnfinished(Map<?, ?> ofLoader) {
    Iterator<?> values = ofLoader.values().iterator();
    while (values.hasNext()) {
      if (values.next().getClass().getName().equals(UNFINISHED)) {
        values.remove();
      }
    }
  }
}
