// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;

/** Call sites and constants that a bootstrap method of a library links, in kinds.Sites. */
public class CallSites extends Kind {
  /** Enough for C2. */
  private static final int REPEATS = 20_000;

  static String tag = "none";
  static int links;
  static int constants;

  /** Initialized by a handle of its field only, which the class library remembers. */
  public static class Behind {
    public static int value = tag.length();

    static {
      System.out.println("Behind is initialized by " + tag);
    }
  }

  public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) {
    links++;
    MethodHandle target = MethodHandles.constant(Object.class, "linked by " + tag);
    return tag.equals("dirty") ? new ConstantCallSite(target) : new MutableCallSite(target);
  }

  public static CallSite fail(MethodHandles.Lookup lookup, String name, MethodType type) {
    throw new IllegalStateException("refused by " + tag + ", link " + links++);
  }

  public static Object constant(MethodHandles.Lookup lookup, String name, Class<?> type) {
    constants++;
    return type == long.class ? (Object) (long) tag.length() : "made by " + tag;
  }

  private static Object use() throws Throwable {
    Object last = null;
    for (int i = 0; i < REPEATS; i++) {
      last = Sites.site() + ", " + Sites.object() + ", " + Sites.number();
    }
    int value = 0;
    for (int i = 0; i < REPEATS; i++) {
      value = (int) Sites.getter().invokeExact();
    }
    return last + ", " + value + ", " + links + " links, " + constants + " constants";
  }

  private static Object failure() {
    try {
      return Sites.broken();
    } catch (BootstrapMethodError e) {
      return e + ": " + e.getCause();
    }
  }

  @Override
  protected void dirty() throws Exception {
    tag = "dirty";
    try {
      use();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    failure();
    Sites.reference().apply(new Object[] {tag});
    Sites.count++;
    Sites.total++;
    Sites.share++;
    Sites.text = "dirty";
    System.gc(); // nobody else has the text
  }

  @Override
  protected void probe() throws Exception {
    tag = "probe";
    show(
        "constants of fields",
        () -> Sites.count + " " + Sites.total + " " + Sites.share + Sites.text);
    show(
        "values",
        () -> {
          try {
            return use();
          } catch (Throwable e) {
            return e;
          }
        });
    show("failure", CallSites::failure);
    show("failure again", CallSites::failure);
    Supplier<String> lambda = () -> "lambda of " + tag;
    show("lambda", lambda::get);
    show("reference", () -> Sites.reference().apply(new Object[] {tag, 1}));
  }
}
