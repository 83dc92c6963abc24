// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Arrays;

/**
 * An agent: makes "PLAIN" in the constants of the class Agent$Target "DIRTY". As a program, shows
 * whether it did, then waits for a line from its input and shows it again.
 */
public class Agent {
  static class Target {
    static String shown() {
      return "PLAIN";
    }
  }

  static class Editor implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
      if (!"Agent$Target".equals(name)) {
        return null;
      }
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      return text.replace("PLAIN", "DIRTY").getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  static volatile boolean attached;

  public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
    agentmain(arguments, instrumentation);
  }

  public static void agentmain(String arguments, Instrumentation instrumentation) throws Exception {
    instrumentation.addTransformer(new Editor(), true);
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (c.getName().equals("Agent$Target")) {
        instrumentation.retransformClasses(c);
      }
    }
    attached = true;
  }

  public static void main(String[] args) throws Exception {
    System.out.println(Target.shown() + " " + attached + " " + Arrays.toString(args));
    while (System.in.read() >= 0) {}
    System.out.println(Target.shown() + " " + attached);
  }
}
