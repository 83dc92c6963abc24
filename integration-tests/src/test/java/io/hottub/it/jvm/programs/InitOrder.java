// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Prints which static initialisers run at the first use of a class, in which order, for every way
 * of using one; then uses it until the code of the use is compiled. The next run of the same JVM
 * finds that code compiled, and its classes must be initialised again all the same.
 *
 * <p>Arguments: how often each use is repeated; in which order the uses come; a number that all
 * static finals depend on.
 */
public class InitOrder {
  static int run;

  static int say(String name) {
    System.out.print(" " + name);
    return run + name.length();
  }

  // ---- fields

  static class ReadField {
    static int value = say("ReadField");
  }

  static int readField(int i) {
    return ReadField.value + i;
  }

  static class ReadFinal {
    static final int VALUE = say("ReadFinal");
    static final int[] ARRAY = {VALUE, VALUE + 1};
    static final Object BOX = Integer.valueOf(VALUE + 1000);
  }

  static int readFinal(int i) {
    return ReadFinal.VALUE * 7 + ReadFinal.ARRAY[i & 1] + (Integer) ReadFinal.BOX;
  }

  static class ReadReference {
    static final StringBuilder TEXT = new StringBuilder("text" + say("ReadReference"));
  }

  static int readReference(int i) {
    return ReadReference.TEXT.length() + ReadReference.TEXT.charAt(4);
  }

  static class ReadLong {
    static final long LONG = say("ReadLong") * 3L;
    static double real = LONG / 2.0;
  }

  static int readLong(int i) {
    return (int) (ReadLong.LONG + ReadLong.real);
  }

  static class WriteField {
    static int value = say("WriteField");
    static int old = value;
  }

  static int writeField(int i) {
    WriteField.value = i;
    return WriteField.value + WriteField.old;
  }

  static class CountUp {
    static int count = 5;
    static final boolean SAID = say("CountUp") > 0;
  }

  static int countUp(int i) {
    return ++CountUp.count;
  }

  /** Has no initialiser: only the value has to be new. */
  static class Plain {
    static int count;
    static Object last;
    static final int CONSTANT = 17;
    static final String TEXT = "constant";
  }

  static int plain(int i) {
    int seen = Plain.last == null ? 1 : 0;
    Plain.last = "x";
    return ++Plain.count * 2 + seen + Plain.CONSTANT + Plain.TEXT.length();
  }

  static class Parent {
    static int inherited = say("Parent");
  }

  static class Child extends Parent {
    static int own = say("WRONG:Child");
  }

  static int inheritedField(int i) {
    return Child.inherited + i;
  }

  // ---- calls

  static class CallStatic {
    static int value = say("CallStatic");

    static int call(int i) {
      return value + i;
    }
  }

  static int callStatic(int i) {
    return CallStatic.call(i);
  }

  /** Its method touches no field: a caller that inlines it has nothing else to check. */
  static class CallEmpty {
    static {
      say("CallEmpty");
    }

    static int call(int i) {
      return i + 1;
    }
  }

  static int callEmpty(int i) {
    return CallEmpty.call(i);
  }

  static class CallDeep {
    static {
      say("CallDeep");
    }

    static int one(int i) {
      return i;
    }
  }

  static int deep2(int i) {
    return CallDeep.one(i) + 1;
  }

  static int deep1(int i) {
    return deep2(i) + 1;
  }

  static int callDeep(int i) {
    return deep1(i);
  }

  static class CallSynchronized {
    static int value = say("CallSynchronized");

    static synchronized int call(int i) {
      return value + i;
    }
  }

  static int callSynchronized(int i) {
    return CallSynchronized.call(i);
  }

  // ---- objects

  static class Create {
    static int count = say("Create");
    int number = ++count;
  }

  static int create(int i) {
    return new Create().number;
  }

  static class CreateEmpty {
    static {
      say("CreateEmpty");
    }
  }

  static int createEmpty(int i) {
    return new CreateEmpty() == null ? 1 : 0;
  }

  static class Base {
    static int base = say("Base");
  }

  static class Middle extends Base {}

  static class Derived extends Middle {
    static int derived = say("Derived");
  }

  static int createDerived(int i) {
    return new Derived().hashCode() == 0 ? 0 : Derived.derived + Derived.base;
  }

  interface WithDefault {
    int FIELD = say("WithDefault");

    default int value() {
      return FIELD;
    }
  }

  interface WithoutDefault {
    int FIELD = say("WRONG:WithoutDefault");

    int other();
  }

  static class Implementor implements WithDefault, WithoutDefault {
    static int own = say("Implementor");

    @Override
    public int other() {
      return own;
    }
  }

  static int createImplementor(int i) {
    Implementor object = new Implementor();
    return object.value() + object.other();
  }

  /** No initialiser of its own: that of the interface alone makes it one to initialise. */
  static class SilentImplementor implements SilentDefault {}

  interface SilentDefault {
    int FIELD = say("SilentDefault");

    default int value() {
      return 3;
    }
  }

  static int createSilent(int i) {
    return new SilentImplementor().value();
  }

  interface Constants {
    int COMPUTED = say("Constants");
    int CONSTANT = 4;
  }

  static int readInterface(int i) {
    return Constants.COMPUTED + Constants.CONSTANT;
  }

  static class OnlyNamed {
    static int value = say("WRONG:OnlyNamed");
  }

  static int nameOnly(int i) {
    Object o = i % 2 == 0 ? new OnlyNamed[2] : "text";
    return (o instanceof OnlyNamed ? 1 : 0) + (OnlyNamed.class.isInstance(o) ? 1 : 2);
  }

  static class Outer {
    private static int secret = say("Outer");
    private int own = secret;

    class Inner {
      int sum() {
        return own + secret;
      }
    }
  }

  static int inner(int i) {
    return new Outer().new Inner().sum();
  }

  // ---- enums

  enum Colour {
    RED,
    GREEN,
    BLUE;

    final int weight = ordinal() + say("Colour" + ordinal());
  }

  static int enumSwitch(int i) {
    switch (Colour.values()[i % 3]) {
      case RED:
        return Colour.RED.weight;
      case GREEN:
        return 20;
      default:
        return 30;
    }
  }

  enum Key {
    A,
    B;

    static {
      say("Key");
    }
  }

  static int enumMap(int i) {
    EnumMap<Key, Integer> map = new EnumMap<>(Key.class);
    map.put(Key.valueOf("B"), i);
    map.put(Key.A, 2);
    return map.size() + Key.class.getEnumConstants().length + map.get(Key.B);
  }

  // ---- lambdas, handles, reflection

  static class ByReference {
    static int value = say("ByReference");

    static int get() {
      return value;
    }
  }

  static int methodReference(int i) {
    IntSupplier supplier = ByReference::get;
    return supplier.getAsInt();
  }

  static class ByConstructorReference {
    static int value = say("ByConstructorReference");
    int copy = value;
  }

  static int constructorReference(int i) {
    Supplier<ByConstructorReference> supplier = ByConstructorReference::new;
    return supplier.get().copy;
  }

  static class InLambda {
    static int value = say("InLambda");
  }

  static int lambda(int i) {
    IntSupplier supplier = () -> InLambda.value + i;
    return supplier.getAsInt();
  }

  static class ByHandle {
    static int value = say("ByHandle");

    static int get(int i) {
      return value + i;
    }
  }

  static class Handles {
    static final MethodHandle GET;

    static {
      try {
        GET =
            MethodHandles.lookup()
                .findStatic(ByHandle.class, "get", MethodType.methodType(int.class, int.class));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  static int methodHandle(int i) throws Throwable {
    return (int) Handles.GET.invokeExact(i);
  }

  static class ByVarHandle {
    static int value = say("ByVarHandle");
    static final VarHandle VALUE;

    static {
      try {
        VALUE = MethodHandles.lookup().findStaticVarHandle(ByVarHandle.class, "value", int.class);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  static int varHandle(int i) {
    return (int) ByVarHandle.VALUE.getAndAdd(1);
  }

  static class ByReflection {
    static int value = say("ByReflection");
    int copy = value;

    static int get(int i) {
      return value + i;
    }
  }

  static Method get;
  static Field value;
  static Constructor<?> constructor;

  static int reflectMethod(int i) throws ReflectiveOperationException {
    if (get == null) {
      get = ByReflection.class.getDeclaredMethod("get", int.class);
    }
    return (Integer) get.invoke(null, i);
  }

  static class FieldByReflection {
    static int value = say("FieldByReflection");
  }

  static int reflectField(int i) throws ReflectiveOperationException {
    if (value == null) {
      value = FieldByReflection.class.getDeclaredField("value");
    }
    return value.getInt(null);
  }

  static class ConstructorByReflection {
    static int count = say("ConstructorByReflection");
    int copy = ++count;
  }

  static int reflectConstructor(int i) throws ReflectiveOperationException {
    if (constructor == null) {
      constructor = ConstructorByReflection.class.getDeclaredConstructor();
    }
    return ((ConstructorByReflection) constructor.newInstance()).copy;
  }

  static class ByName {
    static int value = say("ByName");
  }

  static int forName(int i) throws ReflectiveOperationException {
    if (i % 100 == 0) {
      Class.forName("InitOrder$ByName");
    }
    return i;
  }

  static class ByUnsafe {
    static int value = say("ByUnsafe");
    int field;
  }

  static int unsafe(int i) throws ReflectiveOperationException {
    ByUnsafe object = (ByUnsafe) UnsafeHolder.UNSAFE.allocateInstance(ByUnsafe.class);
    return object.field;
  }

  static class UnsafeHolder {
    static final sun.misc.Unsafe UNSAFE;

    static {
      try {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        UNSAFE = (sun.misc.Unsafe) field.get(null);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  // ---- order

  static class Left {
    static int before = say("Left(");
    static int value = Right.value + 1;
    static int after = say(")Left");
  }

  static class Right {
    static int before = say("Right(");
    static int value = Left.value + 10;
    static int after = say(")Right");
  }

  static int cycle(int i) {
    return run % 2 == 0 ? Left.value * 100 + Right.value : Right.value * 100 + Left.value;
  }

  static class Fails {
    static int value = fail();

    static int fail() {
      say("Fails");
      if (run % 2 == 0) {
        throw new IllegalStateException("run " + run);
      }
      return 1;
    }
  }

  static int failing(int i) {
    try {
      return Fails.value + i;
    } catch (ExceptionInInitializerError e) {
      System.out.print(" " + e.getCause());
      return 2;
    } catch (NoClassDefFoundError e) {
      return 3;
    }
  }

  static class Slow {
    static int value;

    static {
      say("Slow");
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      value = 41;
    }
  }

  static int slow(int i) {
    return Slow.value + 1;
  }

  static int raced(int i) throws InterruptedException {
    if (i == 0) {
      int[] seen = new int[3];
      Thread[] threads = new Thread[seen.length];
      for (int t = 0; t < threads.length; t++) {
        int number = t;
        threads[t] = new Thread(() -> seen[number] = slow(number));
        threads[t].start();
      }
      for (int t = 0; t < threads.length; t++) {
        threads[t].join();
        System.out.print(" " + seen[t]);
      }
    }
    return slow(i);
  }

  /** Uses itself, and calls methods of itself, while it is initialised. */
  static class Reentrant {
    static int before = say("Reentrant(");
    static int value = again() + new Reentrant().own + before;
    static final int LATE = say(")Reentrant");
    int own = LATE + 1;

    static int again() {
      return LATE + value + 2;
    }
  }

  static int reentrant(int i) {
    return Reentrant.value * 10 + Reentrant.again();
  }

  /** Two threads that initialise a cycle from both ends: whoever is first, both see one order. */
  static class Ping {
    static final int VALUE = say("Ping") + (run % 2 == 0 ? Pong.value() : 0);

    static int value() {
      return VALUE;
    }
  }

  static class Pong {
    static final int VALUE = say("Pong") + (run % 2 == 0 ? 0 : Ping.value());

    static int value() {
      return VALUE;
    }
  }

  static int concurrentCycle(int i) throws InterruptedException {
    if (i == 0) {
      // The second thread finds the first one inside and has to wait.
      Thread first = new Thread(run % 2 == 0 ? Ping::value : Pong::value);
      first.start();
      first.join();
    }
    return Ping.VALUE * 100 + Pong.VALUE;
  }

  /** One thread initialises slowly, others come by interpreter, reflection and method handle. */
  static class Contended {
    static int value;

    static {
      say("Contended");
      try {
        Thread.sleep(30);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      value = 17 + run;
    }

    static int get() {
      return value;
    }
  }

  static int contended(int i) throws Throwable {
    if (i == 0) {
      MethodHandle handle =
          MethodHandles.lookup()
              .findStatic(Contended.class, "get", MethodType.methodType(int.class));
      Method method = Contended.class.getDeclaredMethod("get");
      Field field = Contended.class.getDeclaredField("value");
      List<Use> ways =
          List.of(
              n -> Contended.get(),
              n -> (int) handle.invokeExact(),
              n -> (Integer) method.invoke(null),
              n -> field.getInt(null),
              n -> Contended.value);
      int[] seen = new int[ways.size()];
      Thread[] threads = new Thread[seen.length];
      for (int t = 0; t < threads.length; t++) {
        int number = t;
        threads[t] =
            new Thread(
                () -> {
                  try {
                    seen[number] = ways.get(number).apply(0);
                  } catch (Throwable e) {
                    seen[number] = -1;
                  }
                });
        threads[t].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.print(" " + java.util.Arrays.toString(seen));
    }
    return Contended.get();
  }

  /** Fails in the thread that initialises and in all that wait for it. */
  static class FailsForAll {
    static int value = fail();

    static int fail() {
      say("FailsForAll");
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      throw new IllegalArgumentException("always");
    }
  }

  static int failsForAll(int i) throws InterruptedException {
    if (i == 0) {
      List<String> seen = Collections.synchronizedList(new ArrayList<>());
      Thread[] threads = new Thread[3];
      for (int t = 0; t < threads.length; t++) {
        threads[t] =
            new Thread(
                () -> {
                  try {
                    seen.add("WRONG " + FailsForAll.value);
                  } catch (Throwable e) {
                    seen.add(e.getClass().getSimpleName());
                  }
                });
        threads[t].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      Collections.sort(seen);
      System.out.print(" " + seen);
    }
    return 5;
  }

  interface Top {
    int TOP = say("Top");

    default int top() {
      return TOP;
    }
  }

  interface NoDefault extends Top {
    int NONE = say("WRONG:NoDefault");
  }

  interface Bottom extends NoDefault {
    int BOTTOM = say("Bottom");

    default int bottom() {
      return BOTTOM;
    }

    static int utility() {
      return 3;
    }
  }

  static class Diamond implements Bottom, Top {
    static int own = say("Diamond");
  }

  static int diamond(int i) {
    return new Diamond().top() + new Diamond().bottom() + Diamond.own;
  }

  interface OnlyStatic {
    int FIELD = say("OnlyStatic");

    static int call() {
      return 8;
    }
  }

  static int interfaceStatic(int i) {
    return OnlyStatic.call();
  }

  static class ForUnsafeEnsure {
    static int value = say("ForUnsafeEnsure");
  }

  static int lookupEnsure(int i) throws ReflectiveOperationException {
    MethodHandles.lookup().ensureInitialized(ForUnsafeEnsure.class);
    return i;
  }

  static class StaticByUnsafe {
    static int value = say("StaticByUnsafe");
  }

  @SuppressWarnings({"deprecation", "removal"})
  static int unsafeStatic(int i) throws ReflectiveOperationException {
    sun.misc.Unsafe unsafe = UnsafeHolder.UNSAFE;
    if (unsafe.shouldBeInitialized(StaticByUnsafe.class)) {
      System.out.print(" to be initialized");
      unsafe.ensureClassInitialized(StaticByUnsafe.class);
    }
    Field field = StaticByUnsafe.class.getDeclaredField("value");
    return unsafe.getInt(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
  }

  static class ByConstructorHandle {
    static int count = say("ByConstructorHandle");
    int copy = ++count;
  }

  static class ByGetterHandle {
    static int value = say("ByGetterHandle");
  }

  static class MoreHandles {
    static final MethodHandle NEW;
    static final MethodHandle GET;
    static final MethodHandle SET;

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        NEW = lookup.findConstructor(ByConstructorHandle.class, MethodType.methodType(void.class));
        GET = lookup.findStaticGetter(ByGetterHandle.class, "value", int.class);
        SET = lookup.findStaticSetter(ByGetterHandle.class, "value", int.class);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  static int constructorHandle(int i) throws Throwable {
    return ((ByConstructorHandle) MoreHandles.NEW.invokeExact()).copy;
  }

  static int fieldHandles(int i) throws Throwable {
    int old = (int) MoreHandles.GET.invokeExact();
    MoreHandles.SET.invokeExact(old + 1);
    return old;
  }

  /** Its value depends on when it is initialised. */
  static class Timed {
    static final int ORDER = ++initialized;
  }

  static int initialized;

  static int timed(int i) {
    return ++initialized * 0 + Timed.ORDER;
  }

  // ---- several ways to one use

  // The first use comes without the first access, after no other class: else the interpreter would
  // be in charge already.

  static class ThenWay {
    static int value = say("ThenWay");
  }

  static int thenWay(int i) {
    int sum = i;
    if ((i & 1) == 1) {
      sum += ThenWay.value;
    } else {
      sum *= 5;
    }
    return sum * 3 + ThenWay.value;
  }

  static class ElseWay {
    static int value = say("ElseWay");
  }

  static int elseWay(int i) {
    int sum = i;
    if ((i & 1) == 0) {
      sum *= 5;
    } else {
      sum += ElseWay.value;
    }
    return sum * 3 + ElseWay.value;
  }

  static class InLoop {
    static int value = say("InLoop");
  }

  static int noRound(int i) {
    int sum = 0;
    for (int k = 0; k < (i & 3); k++) {
      sum += InLoop.value;
    }
    return sum * 3 + InLoop.value;
  }

  static final RuntimeException THROWN = new RuntimeException();

  static class AfterThrow {
    static int value = say("AfterThrow");
  }

  static int handler(int i) {
    int sum = 0;
    try {
      if ((i & 1) == 0) {
        throw THROWN;
      }
      sum += AfterThrow.value;
    } catch (RuntimeException e) {
      sum = 1;
    }
    return sum * 3 + AfterThrow.value;
  }

  /** Its own initialiser reads what is not yet set. */
  static class Half {
    static int early = say("Half");
    static int seen = half(1);
    static final int LATE = early + 5;
  }

  static int half(int i) {
    return Half.early * 3 + Half.LATE * 5 + Half.seen * 7 + i;
  }

  // ---- all

  interface Use {
    int apply(int i) throws Throwable;
  }

  record Named(String name, Use use) {}

  static final List<Named> ALL =
      new ArrayList<>(
          List.of(
              new Named("readField", InitOrder::readField),
              new Named("readFinal", InitOrder::readFinal),
              new Named("readReference", InitOrder::readReference),
              new Named("readLong", InitOrder::readLong),
              new Named("writeField", InitOrder::writeField),
              new Named("countUp", InitOrder::countUp),
              new Named("plain", InitOrder::plain),
              new Named("inheritedField", InitOrder::inheritedField),
              new Named("callStatic", InitOrder::callStatic),
              new Named("callEmpty", InitOrder::callEmpty),
              new Named("callDeep", InitOrder::callDeep),
              new Named("callSynchronized", InitOrder::callSynchronized),
              new Named("create", InitOrder::create),
              new Named("createEmpty", InitOrder::createEmpty),
              new Named("createDerived", InitOrder::createDerived),
              new Named("createImplementor", InitOrder::createImplementor),
              new Named("createSilent", InitOrder::createSilent),
              new Named("readInterface", InitOrder::readInterface),
              new Named("nameOnly", InitOrder::nameOnly),
              new Named("inner", InitOrder::inner),
              new Named("enumSwitch", InitOrder::enumSwitch),
              new Named("enumMap", InitOrder::enumMap),
              new Named("methodReference", InitOrder::methodReference),
              new Named("constructorReference", InitOrder::constructorReference),
              new Named("lambda", InitOrder::lambda),
              new Named("methodHandle", InitOrder::methodHandle),
              new Named("varHandle", InitOrder::varHandle),
              new Named("reflectMethod", InitOrder::reflectMethod),
              new Named("reflectField", InitOrder::reflectField),
              new Named("reflectConstructor", InitOrder::reflectConstructor),
              new Named("forName", InitOrder::forName),
              new Named("unsafe", InitOrder::unsafe),
              new Named("cycle", InitOrder::cycle),
              new Named("failing", InitOrder::failing),
              new Named("raced", InitOrder::raced),
              new Named("reentrant", InitOrder::reentrant),
              new Named("concurrentCycle", InitOrder::concurrentCycle),
              new Named("contended", InitOrder::contended),
              new Named("failsForAll", InitOrder::failsForAll),
              new Named("diamond", InitOrder::diamond),
              new Named("interfaceStatic", InitOrder::interfaceStatic),
              new Named("lookupEnsure", InitOrder::lookupEnsure),
              new Named("unsafeStatic", InitOrder::unsafeStatic),
              new Named("constructorHandle", InitOrder::constructorHandle),
              new Named("fieldHandles", InitOrder::fieldHandles),
              new Named("timed", InitOrder::timed),
              new Named("thenWay", InitOrder::thenWay),
              new Named("elseWay", InitOrder::elseWay),
              new Named("noRound", InitOrder::noRound),
              new Named("handler", InitOrder::handler),
              new Named("half", InitOrder::half)));

  static long repeat(Use use, int from, int to) throws Throwable {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum = sum * 31 + use.apply(i);
    }
    return sum;
  }

  public static void main(String[] args) throws Throwable {
    int count = Integer.parseInt(args[0]);
    run = Integer.parseInt(args[2]);
    Collections.shuffle(ALL, new Random(Integer.parseInt(args[1])));
    for (Named named : ALL) {
      System.out.print(named.name() + ":");
      long first = repeat(named.use(), 0, 1);
      System.out.print(" = " + first + ";");
      System.out.println(" " + repeat(named.use(), 1, count));
    }
  }
}
