// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.tree.AbstractInsnNode;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.InvokeDynamicInsnNode;
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
    return reads(node.name, "<clinit>", node.name, new HashSet<>());
  }

  /** The method, or what it calls of this class and of those that are declared in it. */
  private boolean reads(String owner, String name, String outer, Set<String> seen) {
    if (!seen.add(owner + "." + name)) {
      return false;
    }
    for (MethodNode method : jdk.withCode(owner).methods) {
      if (method.name.equals(name)) {
        for (AbstractInsnNode insn : method.instructions) {
          if (insn instanceof MethodInsnNode call && reads(call, outer, seen)
              || insn instanceof InvokeDynamicInsnNode lambda && reads(lambda, outer, seen)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean reads(MethodInsnNode call, String outer, Set<String> seen) {
    if (READS.matcher(call.owner + "." + call.name).matches()) {
      return true;
    }
    if (!isIn(call.owner, outer)) {
      return false;
    }
    // What is made is an action for somebody else, who then calls it.
    return reads(call.owner, call.name, outer, seen)
        || call.name.equals("<init>") && reads(call.owner, "run", outer, seen);
  }

  private boolean reads(InvokeDynamicInsnNode lambda, String outer, Set<String> seen) {
    for (Object argument : lambda.bsmArgs) {
      if (argument instanceof Handle body
          && (READS.matcher(body.getOwner() + "." + body.getName()).matches()
              || isIn(body.getOwner(), outer)
                  && reads(body.getOwner(), body.getName(), outer, seen))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(String owner, String outer) {
    return owner.equals(outer) || owner.startsWith(outer + "$");
  }
}
