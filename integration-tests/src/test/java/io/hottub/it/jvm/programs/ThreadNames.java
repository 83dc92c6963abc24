// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.TreeSet;

/** Prints the names of all threads that it can see. */
public class ThreadNames {
  public static void main(String[] args) {
    TreeSet<String> names = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      names.add(thread.getName());
    }
    System.out.println(names);
  }
}
