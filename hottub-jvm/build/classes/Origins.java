// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;
import jdk.internal.org.objectweb.asm.tree.AbstractInsnNode;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldInsnNode;
import jdk.internal.org.objectweb.asm.tree.FieldNode;
import jdk.internal.org.objectweb.asm.tree.FrameNode;
import jdk.internal.org.objectweb.asm.tree.InvokeDynamicInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodNode;

/**
 * What initialisers put into fields, by the instruction before: it knows more than the type of the
 * field. Where ways through the code meet before, nothing is known.
 */
final class Origins {
  private static final Set<String> COLLECTIONS =
      Set.of("java/util/List", "java/util/Set", "java/util/Map");
  private static final Set<String> FACTORIES = Set.of("of", "copyOf", "ofEntries");
  private static final Pattern ARGUMENTS = Pattern.compile("^L[^<]+<(.*)>;$");
  private static final Pattern ARGUMENT = Pattern.compile("L[^<;]+;");

  private final Jdk jdk;
  private final Immutable immutable;

  /** Fields that are being looked at. */
  private final Deque<String> open = new ArrayDeque<>();

  Origins(Jdk jdk, Immutable immutable) {
    this.jdk = jdk;
    this.immutable = immutable;
  }

  /** All that the initialiser of a class puts into one of its fields. */
  boolean areImmutable(String owner, FieldNode field) {
    String name = owner + "." + field.name;
    if (open.contains(name)) {
      return false;
    }
    open.push(name);
    try {
      for (MethodNode method : jdk.withCode(owner).methods) {
        for (AbstractInsnNode insn : method.instructions) {
          if (puts(insn, owner, field.name) && !isImmutable(before(insn), field)) {
            return false;
          }
        }
      }
      return true;
    } finally {
      open.pop();
    }
  }

  private static boolean puts(AbstractInsnNode insn, String owner, String name) {
    return insn.getOpcode() == Opcodes.PUTSTATIC
        && ((FieldInsnNode) insn).owner.equals(owner)
        && ((FieldInsnNode) insn).name.equals(name);
  }

  private static AbstractInsnNode before(AbstractInsnNode insn) {
    AbstractInsnNode before = insn.getPrevious();
    while (before != null
        && !(before instanceof FrameNode)
        && (before.getOpcode() < 0 || before.getOpcode() == Opcodes.CHECKCAST)) {
      before = before.getPrevious();
    }
    return before;
  }

  private boolean isImmutable(AbstractInsnNode insn, FieldNode field) {
    if (insn == null) {
      return false;
    }
    return switch (insn.getOpcode()) {
      case Opcodes.ACONST_NULL -> true;
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> before(insn).getOpcode() == Opcodes.ICONST_0;
      case Opcodes.INVOKESPECIAL -> isNew((MethodInsnNode) insn);
      case Opcodes.INVOKESTATIC -> isCollection((MethodInsnNode) insn, field);
      case Opcodes.INVOKEDYNAMIC -> catchesNothing((InvokeDynamicInsnNode) insn);
      case Opcodes.GETSTATIC -> isOther((FieldInsnNode) insn);
      default -> false;
    };
  }

  private boolean isNew(MethodInsnNode call) {
    return call.name.equals("<init>") && immutable.isExactly(call.owner);
  }

  private static boolean catchesNothing(InvokeDynamicInsnNode site) {
    return site.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
        && site.desc.startsWith("()");
  }

  /** An immutable collection, of what the field's generic type says. */
  private boolean isCollection(MethodInsnNode call, FieldNode field) {
    if (!COLLECTIONS.contains(call.owner) || !FACTORIES.contains(call.name)) {
      return false;
    }
    if (call.desc.startsWith("()")) {
      return true;
    }
    Matcher arguments = ARGUMENTS.matcher(field.signature == null ? "" : field.signature);
    if (!arguments.find()) {
      return false;
    }
    String rest = ARGUMENT.matcher(arguments.group(1)).replaceAll("");
    return rest.isEmpty()
        && ARGUMENT
            .matcher(arguments.group(1))
            .results()
            .allMatch(argument -> immutable.isType(Type.getType(argument.group())));
  }

  private boolean isOther(FieldInsnNode get) {
    ClassNode node = jdk.classes().get(get.owner);
    if (node == null) {
      return false;
    }
    return node.fields.stream()
        .filter(other -> other.name.equals(get.name) && other.desc.equals(get.desc))
        .anyMatch(
            other -> (other.access & Opcodes.ACC_FINAL) != 0 && immutable.isField(node, other));
  }
}
