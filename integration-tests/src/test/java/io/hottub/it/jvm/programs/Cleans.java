// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.ref.CleanerFactory;

/** Cleaners that run when the run has ended. */
public class Cleans {
  public static void main(String[] args) {
    for (int i = 0; i < 20; i++) {
      CleanerFactory.cleaner()
          .register(new Object(), () -> new ConcurrentHashMap<>().computeIfAbsent(1, one -> 2));
    }
  }
}
