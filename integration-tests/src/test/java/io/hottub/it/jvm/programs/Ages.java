// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.ref.SoftReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** How long ago the collector has looked at the whole heap, and what it clears soon after. */
public class Ages {
  private static final long RECENT_MS = 2000;

  public static void main(String[] args) throws Exception {
    Method age = Class.forName("sun.rmi.transport.GC").getDeclaredMethod("maxObjectInspectionAge");
    age.setAccessible(true);
    System.out.println("looked at: " + ((long) age.invoke(null) < RECENT_MS));
    List<SoftReference<Object>> soft = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      soft.add(new SoftReference<>(new Object()));
    }
    for (int i = 0; i < 2; i++) {
      System.gc();
      Thread.sleep(20);
      long cleared = soft.stream().filter(reference -> reference.refersTo(null)).count();
      System.out.println("cleared: " + cleared);
    }
  }
}
