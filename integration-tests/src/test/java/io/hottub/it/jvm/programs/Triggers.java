// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Everything that JVMS 5.5 says to initialise a class, and what looks like it and does not: how
 * many initialisers run at the first use and at later ones. GenerateTriggers writes the classes;
 * with "list" as the only argument this prints what it is to write.
 *
 * <p>Arguments: how often each use is repeated; the library for the rows of native code.
 */
public class Triggers {
  /** The initialisers of all targets count. */
  public static int initialised;

  public static final MethodHandle THREE = MethodHandles.constant(int.class, 3);
  public static final Object OBJECT = "object";

  interface Use {
    Object apply(Class<?> target, String name) throws Throwable;
  }

  /** Which initialisers of its targets a use runs: 1 or none. Bytecode, or code of the library. */
  record Row(String name, int initialisers, String code, Use use) {}

  private static final List<Row> ROWS = new ArrayList<>();

  private static void code(int initialisers, String... codes) {
    for (String code : codes) {
      ROWS.add(new Row(code.replace(" ", "_"), initialisers, code, null));
    }
  }

  private static void use(int initialisers, String name, Use use) {
    ROWS.add(new Row(name, initialisers, null, use));
  }

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType INT = MethodType.methodType(int.class);
  private static final sun.misc.Unsafe UNSAFE;

  static native int inNativeCode(String what, Class<?> target, String name, Object reflected);

  private static void useNative(int initialisers, String what) {
    use(initialisers, what, (c, n) -> inNativeCode(what, c, n, c.getMethod("get")));
  }

  static {
    try {
      Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      UNSAFE = (sun.misc.Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    bytecode();
    reflection();
    handles();
    library();
    nativeCode();
  }

  private static void bytecode() {
    // new; of a subclass, of a class that implements an interface
    code(1, "new", "object", "objectOfSub", "default objectOfClass");
    code(0, "plain objectOfClass");
    // getstatic: as initialised, constant, constant though not final; inherited; of interfaces
    code(1, "get", "getOfSub", "getGiven", "getComputed", "getComputedOfSub", "getConstantOfSub");
    code(1, "CONSTANT_I", "CONSTANT_Z", "CONSTANT_C", "CONSTANT_J", "CONSTANT_F", "CONSTANT_D");
    code(1, "CONSTANT_S", "plain getComputed", "plain getComputedOfSub", "plain CONSTANT_I");
    code(1, "plain CONSTANT_S", "plain getConstantOfSub", "default getComputed");
    code(1, "default CONSTANT_J", "default fieldOfClass");
    code(0, "plain fieldOfClass", "plain fieldOfSub", "default fieldOfSub");
    // putstatic
    code(1, "put", "putGiven");
    // invokestatic
    code(1, "call", "callOfSub", "callLocked", "callNative", "plain call", "default call");
    // method handles in the constant pool, when they are called
    code(1, "handleGet", "handleGetConstant", "plain handleGetConstant", "handlePut");
    code(1, "handleCall", "handleCallLocked", "plain handleCall", "handleNew");
    code(0, "handleOnly", "methodTypeOnly");
    // bootstrap methods
    code(1, "dynamicCall", "plain dynamicCall", "dynamicConstant", "plain dynamicConstant");
    // nothing of a class but its name
    code(0, "array", "arrays", "instanceOf", "cast", "literal", "callOnNull");
  }

  private static void reflection() {
    use(1, "forName", (c, n) -> Class.forName(n));
    use(1, "forNameTrue", (c, n) -> Class.forName(n, true, c.getClassLoader()));
    use(0, "forNameFalse", (c, n) -> Class.forName(n, false, c.getClassLoader()));
    use(0, "loadClass", (c, n) -> c.getClassLoader().loadClass(n));
    use(1, "methodInvoke", (c, n) -> c.getMethod("get").invoke(null));
    use(0, "methodOnly", (c, n) -> c.getMethod("get"));
    use(1, "fieldGet", (c, n) -> c.getField("value").get(null));
    use(1, "fieldGetConstant", (c, n) -> c.getField("CONSTANT_I").get(null));
    use(1, "fieldGetText", (c, n) -> c.getField("CONSTANT_S").get(null));
    use(1, "fieldGetOfInterface", (c, n) -> c(n + "Plain").getField("CONSTANT_I").get(null));
    use(
        1,
        "fieldSet",
        (c, n) -> {
          c.getField("value").set(null, 3);
          return 0;
        });
    use(0, "fieldOnly", (c, n) -> c.getField("value"));
    use(1, "newInstanceOfConstructor", (c, n) -> c.getConstructor().newInstance().getClass());
    use(1, "newInstanceOfSub", (c, n) -> c(n + "Sub").getConstructor().newInstance().getClass());
    use(1, "newInstanceOfClass", (c, n) -> instantiate(c));
    use(0, "newArray", (c, n) -> Array.getLength(Array.newInstance(c, 2)));
    use(0, "isInstance", (c, n) -> c.isInstance("x"));
    use(0, "members", (c, n) -> c.getDeclaredMethods().length + c.getDeclaredFields().length);
    use(0, "proxy", (c, n) -> proxy(c(n + "Plain")).getClass().getInterfaces().length);
    use(1, "enumConstants", (c, n) -> c(n + "Enum").getEnumConstants().length);
  }

  private static void handles() {
    use(1, "findStatic", (c, n) -> (int) LOOKUP.findStatic(c, "get", INT).invokeExact());
    use(0, "findStaticOnly", (c, n) -> LOOKUP.findStatic(c, "get", INT).type());
    use(1, "findConstructor", (c, n) -> constructor(c).invoke().getClass());
    use(0, "findConstructorOnly", (c, n) -> constructor(c).type().parameterCount());
    use(1, "findStaticGetter", (c, n) -> (int) getter(c, "value").invokeExact());
    use(1, "findStaticGetterOfConstant", (c, n) -> (int) getter(c, "CONSTANT_I").invokeExact());
    use(0, "findStaticGetterOnly", (c, n) -> getter(c, "value").type());
    use(
        1,
        "findStaticSetter",
        (c, n) -> {
          LOOKUP.findStaticSetter(c, "value", int.class).invokeExact(3);
          return 0;
        });
    use(1, "unreflect", (c, n) -> (int) LOOKUP.unreflect(c.getMethod("get")).invokeExact());
    use(1, "unreflectGetter", (c, n) -> LOOKUP.unreflectGetter(c.getField("value")).invoke());
    // A handle of a variable initialises where it is made.
    use(1, "findStaticVarHandle", (c, n) -> variable(c, "value").varType());
    use(1, "variable", (c, n) -> (int) variable(c, "value").getVolatile());
    use(1, "variableThatIsConstant", (c, n) -> (int) variable(c, "CONSTANT_I").get());
    use(1, "ensureInitialized", (c, n) -> LOOKUP.ensureInitialized(c));
    use(0, "accessClass", (c, n) -> LOOKUP.accessClass(c));
    use(0, "findClass", (c, n) -> LOOKUP.findClass(n));
  }

  @SuppressWarnings({"rawtypes", "unchecked", "removal"})
  private static void library() {
    use(
        1,
        "ensureClassInitialized",
        (c, n) -> {
          UNSAFE.ensureClassInitialized(c);
          return UNSAFE.shouldBeInitialized(c);
        });
    use(0, "shouldBeInitialized", (c, n) -> UNSAFE.shouldBeInitialized(c));
    use(1, "allocateInstance", (c, n) -> UNSAFE.allocateInstance(c).getClass());
    use(0, "staticFieldOffset", (c, n) -> UNSAFE.staticFieldBase(c.getField("value")) == c);
    use(1, "streamClass", (c, n) -> ObjectStreamClass.lookup(c).getSerialVersionUID());
    use(1, "deserialise", (c, n) -> deserialise(n).getClass());
    use(1, "enumValueOf", (c, n) -> Enum.valueOf((Class) c(n + "Enum"), "ONE").ordinal());
    use(1, "enumSet", (c, n) -> EnumSet.noneOf((Class) c(n + "Enum")).size());
    use(1, "enumMap", (c, n) -> new EnumMap((Class) c(n + "Enum")).size());
  }

  private static void nativeCode() {
    useNative(1, "FindClass");
    useNative(1, "GetStaticMethodID");
    useNative(1, "GetStaticFieldID");
    useNative(1, "GetMethodID");
    useNative(1, "CallStaticIntMethod");
    useNative(1, "GetStaticIntField");
    useNative(1, "AllocObject");
    useNative(1, "NewObject");
    useNative(1, "FromReflectedMethod");
    useNative(1, "NewObjectArray"); // other arrays do not
    useNative(0, "GetSuperclass");
  }

  @SuppressWarnings("deprecation")
  private static Object instantiate(Class<?> target) throws ReflectiveOperationException {
    return target.newInstance().getClass();
  }

  private static Class<?> c(String name) throws ClassNotFoundException {
    return Class.forName(name, false, Triggers.class.getClassLoader());
  }

  private static Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, m, a) -> null);
  }

  private static MethodHandle constructor(Class<?> target) throws ReflectiveOperationException {
    return LOOKUP.findConstructor(target, MethodType.methodType(void.class));
  }

  private static MethodHandle getter(Class<?> target, String field)
      throws ReflectiveOperationException {
    return LOOKUP.findStaticGetter(target, field, int.class);
  }

  private static VarHandle variable(Class<?> target, String field)
      throws ReflectiveOperationException {
    return LOOKUP.findStaticVarHandle(target, field, int.class);
  }

  /** An object without fields, as it would have been written. */
  private static Object deserialise(String name) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xaced0005);
    out.writeShort(0x7372); // an object of a class
    out.writeUTF(name);
    out.writeLong(1);
    out.writeByte(2); // serialisable
    out.writeShort(0); // fields
    out.writeShort(0x7870); // and no superclass
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  private static void show(Row row, int count) throws Throwable {
    String name = "Target" + row.name();
    Class<?> target = c(name);
    IntSupplier bytecode = null;
    if (row.code() != null) {
      bytecode = (IntSupplier) Class.forName("Use" + row.name()).getConstructor().newInstance();
    }
    // Code of the library is compiled by what all rows do.
    int repeats = bytecode == null ? count / 20 : count;
    int before = initialised;
    int atFirst = 0;
    long sum = 0;
    for (int i = 0; i < repeats; i++) {
      sum += bytecode != null ? bytecode.getAsInt() : value(row.use().apply(target, name));
      if (i == 0) {
        atFirst = initialised - before;
      }
    }
    int later = initialised - before - atFirst;
    boolean isRight = atFirst == row.initialisers() && later == 0;
    System.out.println(
        row.name() + " " + atFirst + " " + later + " " + sum + (isRight ? "" : " WRONG"));
  }

  private static int value(Object result) {
    return result instanceof Number ? ((Number) result).intValue() : 1;
  }

  public static void main(String[] args) throws Throwable {
    if (args[0].equals("list")) {
      for (Row row : ROWS) {
        System.out.println(row.name() + (row.code() == null ? "" : "=" + row.code()));
      }
      return;
    }
    System.load(args[1]);
    for (Row row : ROWS) {
      show(row, Integer.parseInt(args[0]));
    }
  }
}
