// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Handles in static finals, and what knows them beside these: other names, maps, arrays. The
 * argument "one" gives each two names, "two" makes two of each.
 */
public class Handles {
  private static final boolean ONE = System.getProperty("handles").equals("one");
  private static final VarHandle FIELD;
  private static final VarHandle SAME_FIELD;
  private static final MethodHandle METHOD;
  private static final MethodHandle SAME_METHOD;
  private static final Map<Object, String> NAMES = new IdentityHashMap<>();
  private static final Object[] ALL;

  static {
    try {
      FIELD = field();
      SAME_FIELD = ONE ? FIELD : field();
      METHOD = method();
      SAME_METHOD = ONE ? METHOD : method();
      NAMES.put(FIELD, "field");
      NAMES.put(METHOD, "method");
      ALL = new Object[] {FIELD, METHOD};
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int number;

  private static VarHandle field() throws ReflectiveOperationException {
    return MethodHandles.lookup().findVarHandle(Handles.class, "number", int.class);
  }

  private static MethodHandle method() throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findStatic(Handles.class, "next", MethodType.methodType(int.class, int.class));
  }

  static int next(int i) {
    return i + 1;
  }

  private int use(int i) throws Throwable {
    int same = (FIELD == SAME_FIELD ? 1 : 0) + (METHOD == SAME_METHOD ? 2 : 0);
    int known = (ALL[0] == FIELD ? 4 : 0) + (ALL[1] == METHOD ? 8 : 0);
    return same + known + 16 * ((int) FIELD.getAndAdd(this, 1) - (int) METHOD.invokeExact(i));
  }

  public static void main(String[] args) throws Throwable {
    Handles handles = new Handles();
    int repeats = Integer.parseInt(args[0]);
    int before = handles.use(0);
    System.out.println(before);
    for (int i = 1; i < repeats; i++) {
      int now = handles.use(i);
      if (now != before) {
        System.out.println("WRONG: " + now);
        return;
      }
    }
    System.out.println(NAMES.get(FIELD) + " " + NAMES.get(SAME_FIELD));
    System.out.println(NAMES.get(METHOD) + " " + NAMES.get(SAME_METHOD));
  }
}
