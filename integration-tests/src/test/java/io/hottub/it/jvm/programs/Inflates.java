// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Calls by reflection; the argument is the value of a property that reflection reads once. */
public class Inflates {
  public static void called() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      System.out.println(frame.getClassName() + "." + frame.getMethodName());
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.setProperty("sun.reflect.noInflation", args[0]);
    }
    Inflates.class.getMethod("called").invoke(null);
  }
}
