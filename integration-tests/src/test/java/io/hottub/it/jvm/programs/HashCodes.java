// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Identity hash codes of a few objects, and the order that they give to hash tables, in main and in
 * threads. Neither loads classes nor links call sites in between: that takes hash codes, too.
 * Argument: how many other hash codes and threads come first.
 */
public class HashCodes extends Thread {
  private final StringBuilder text = new StringBuilder();

  @Override
  public void run() {
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    Set<Object> set = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      Object object = new Object();
      text.append(object.toString()).append(' ');
      numbers.put(object, i);
      set.add(object);
    }
    for (Object object : set) {
      text.append(numbers.get(object)).append(' ');
    }
    for (Integer number : numbers.values()) {
      text.append(number).append(' ');
    }
  }

  @SuppressWarnings({"DoNotCall", "ReturnValueIgnored"})
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      new Object().hashCode();
      new HashCodes().start();
    }
    HashCodes[] all = {new HashCodes(), new HashCodes(), new HashCodes()};
    all[0].run();
    for (int i = 1; i < all.length; i++) {
      all[i].start();
    }
    for (HashCodes each : all) {
      each.join();
      System.out.println(each.text);
    }
  }
}
