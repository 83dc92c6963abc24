// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.internal.org.objectweb.asm.tree.AbstractInsnNode;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.MethodInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodNode;

/** Whether the initialiser of a class asks for properties, which a run may have set. */
final class PropertyReads {
  private static final Pattern READS =
      Pattern.compile(
          "java/lang/System\\.(getProperty|getProperties|getenv)"
              + "|java/util/Properties\\.getProperty"
              + "|java/security/Security\\.getProperty"
              + "|java/lang/Boolean\\.getBoolean"
              + "|java/lang/Integer\\.getInteger"
              + "|java/lang/Long\\.getLong"
              + "|sun/security/action/Get(Property|Boolean|Integer|Long)Action\\..*"
              + "|sun/security/util/Debug\\.getInstance");

  private final Jdk jdk;

  PropertyReads(Jdk jdk) {
    this.jdk = jdk;
  }

  boolean areIn(ClassNode node) {
    return reads(jdk.withCode(node.name), "<clinit>", new HashSet<>());
  }

  /** The method, or one of this class that it calls. */
  private static boolean reads(ClassNode node, String name, Set<String> seen) {
    if (!seen.add(name)) {
      return false;
    }
    for (MethodNode method : node.methods) {
      if (method.name.equals(name)) {
        for (AbstractInsnNode insn : method.instructions) {
          if (insn instanceof MethodInsnNode call
              && (READS.matcher(call.owner + "." + call.name).matches()
                  || call.owner.equals(node.name) && reads(node, call.name, seen))) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
