// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.io.File;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.function.Supplier;

/** Defines classes in the application's class loader; the arguments say which. */
public class Definitions {
  /** Makes the class files' bytes mean something else, of the same length. */
  private static byte[] bytes(String name, String from, String to) throws Exception {
    String text =
        new String(Files.readAllBytes(Path.of(name + ".class")), StandardCharsets.ISO_8859_1);
    return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** As libraries do that generate classes, with a protection domain of this run. */
  private static Class<?> define(String name, byte[] bytes, String source, Certificate... signers)
      throws Exception {
    Method define =
        ClassLoader.class.getDeclaredMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ProtectionDomain.class);
    define.setAccessible(true);
    Certificate[] certificates = signers.length == 0 ? null : signers;
    CodeSource origin = new CodeSource(new File("/" + source).toURI().toURL(), certificates);
    ProtectionDomain domain = new ProtectionDomain(origin, null);
    ClassLoader loader = Definitions.class.getClassLoader();
    return (Class<?>) define.invoke(loader, name, bytes, 0, bytes.length, domain);
  }

  @SuppressWarnings("unchecked")
  private static Supplier<String> create(Class<?> c) throws Exception {
    return (Supplier<String>) c.getDeclaredConstructor().newInstance();
  }

  /** Often enough for compiled code that knows the class. */
  private static String often(Supplier<String> supplier) {
    long length = 0;
    for (int i = 0; i < 30_000; i++) {
      length += supplier.get().length();
    }
    return length + ", " + supplier.get();
  }

  private static void show(String name) {
    String text;
    try {
      Class<?> c = Class.forName(name);
      text = String.valueOf(c.getProtectionDomain().getCodeSource().getLocation());
    } catch (ClassNotFoundException e) {
      text = "none";
    }
    System.out.println(name + ": " + text);
    ClassLoader loader = Definitions.class.getClassLoader();
    System.out.println(
        loader.getDefinedPackage("other") + ", " + loader.getDefinedPackage("kinds"));
  }

  private static void later(String version) throws Exception {
    Class<?> c = define("kinds.Later", bytes("Later", "one ", version + " "), version);
    System.out.println(often(create(c)));
    System.out.println(((Supplier<?>) c.getMethod("lambda").invoke(null)).get());
  }

  private static void user() throws Exception {
    Supplier<String> user = create(define("kinds.LaterUser", bytes("LaterUser", "", ""), "user"));
    try {
      System.out.println(often(user));
    } catch (NoClassDefFoundError e) {
      System.out.println(e);
    }
  }

  /** Each of them has a name of its own. */
  private static void many() throws Exception {
    for (int i = 0; i < 400; i++) {
      define(null, bytes("Later", "kinds/Later", String.format("kinds/L%04d", i)), "many");
    }
  }

  /** In a package of its own. */
  private static void other(Certificate... signers) throws Exception {
    Class<?> c = define("other.Later", bytes("Later", "kinds/Later", "other/Later"), "it", signers);
    System.out.println(often(create(c)));
    System.out.println(Arrays.toString(c.getSigners()));
  }

  @SuppressWarnings("serial")
  private static final class Signer extends Certificate {
    Signer() {
      super("of a test");
    }

    @Override
    public byte[] getEncoded() {
      return new byte[0];
    }

    @Override
    public void verify(PublicKey key) {}

    @Override
    public void verify(PublicKey key, String provider) {}

    @Override
    public PublicKey getPublicKey() {
      return null;
    }

    @Override
    public String toString() {
      return "a signer";
    }
  }

  public static void main(String[] args) throws Exception {
    show("kinds.Later");
    for (String what : args) {
      try {
        switch (what) {
          case "user" -> user();
          case "many" -> many();
          case "other" -> other();
          case "signed" -> other(new Signer());
          default -> later(what);
        }
      } catch (java.lang.reflect.InvocationTargetException e) {
        System.out.println(e.getCause().getClass());
      }
    }
    show("kinds.Later");
    show("kinds.L0007");
    show("other.Later");
  }
}
