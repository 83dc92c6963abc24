// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.tree.AbstractInsnNode;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodNode;
import jdk.internal.org.objectweb.asm.tree.analysis.Analyzer;
import jdk.internal.org.objectweb.asm.tree.analysis.AnalyzerException;
import jdk.internal.org.objectweb.asm.tree.analysis.SourceInterpreter;
import jdk.internal.org.objectweb.asm.tree.analysis.SourceValue;

/** Where the array of a static field goes in a method. */
final class Flow extends SourceInterpreter {
  private static final Set<String> READERS_OF_ARRAYS =
      Set.of("copyOf", "copyOfRange", "equals", "hashCode", "toString", "binarySearch");

  private final Set<String> owners;
  private final String field;
  private final boolean isInitialiser;

  /** Instructions that have it as their result. */
  private final Set<AbstractInsnNode> sources = new HashSet<>();

  private boolean isNewSource;
  private boolean isConfined = true;

  private Flow(Set<String> owners, String field, boolean isInitialiser) {
    super(Opcodes.ASM8);
    this.owners = owners;
    this.field = field;
    this.isInitialiser = isInitialiser;
  }

  /**
   * Is it only read there? The initialiser may also make it and write to it. Owners are the classes
   * by whose names code may call the field.
   */
  static boolean isConfined(
      ClassNode node, MethodNode method, Set<String> owners, String field, boolean isInitialiser) {
    Flow flow = new Flow(owners, field, isInitialiser);
    for (AbstractInsnNode insn : method.instructions) {
      if (flow.isField(insn, Opcodes.GETSTATIC)) {
        flow.sources.add(insn);
      } else if (flow.isField(insn, Opcodes.PUTSTATIC) && !isInitialiser) {
        return false;
      }
    }
    if (flow.sources.isEmpty() && !isInitialiser) {
      return true;
    }
    do {
      flow.isNewSource = false;
      try {
        new Analyzer<>(flow).analyze(node.name, method);
      } catch (AnalyzerException e) {
        throw new IllegalStateException(node.name + "." + method.name, e);
      }
    } while (flow.isNewSource && flow.isConfined);
    return flow.isConfined;
  }

  private boolean isField(AbstractInsnNode insn, int opcode) {
    return insn.getOpcode() == opcode
        && owners.contains(((FieldInsnNode) insn).owner)
        && ((FieldInsnNode) insn).name.equals(field);
  }

  private boolean isArray(SourceValue value) {
    return value.insns.stream().anyMatch(sources::contains);
  }

  private void addSource(AbstractInsnNode insn) {
    isNewSource |= sources.add(insn);
  }

  private void allow(SourceValue value, boolean isAllowed) {
    isConfined &= isAllowed || !isArray(value);
  }

  @Override
  public SourceValue copyOperation(AbstractInsnNode insn, SourceValue value) {
    if (isArray(value)) {
      addSource(insn);
    }
    return super.copyOperation(insn, value);
  }

  @Override
  public SourceValue unaryOperation(AbstractInsnNode insn, SourceValue value) {
    if (isField(insn, Opcodes.PUTSTATIC)) {
      // What it has to begin with: nobody else knows a new one.
      value.insns.forEach(
          source -> {
            isConfined &= sources.contains(source) || makesArray(source);
            addSource(source);
          });
    } else if (insn.getOpcode() == Opcodes.CHECKCAST && isArray(value)) {
      addSource(insn);
    } else {
      allow(
          value,
          switch (insn.getOpcode()) {
            case Opcodes.ARRAYLENGTH, Opcodes.IFNULL, Opcodes.IFNONNULL -> true;
            default -> false;
          });
    }
    return super.unaryOperation(insn, value);
  }

  private static boolean makesArray(AbstractInsnNode insn) {
    return switch (insn.getOpcode()) {
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> true;
      case Opcodes.INVOKESTATIC ->
          ((MethodInsnNode) insn).name.matches("\\$?values")
              && ((MethodInsnNode) insn).desc.startsWith("()");
      case Opcodes.INVOKEVIRTUAL -> isClone((MethodInsnNode) insn);
      default -> false;
    };
  }

  private static boolean isClone(MethodInsnNode call) {
    return call.name.equals("clone") && call.owner.startsWith("[");
  }

  @Override
  public SourceValue binaryOperation(AbstractInsnNode insn, SourceValue a, SourceValue b) {
    boolean isLoad = insn.getOpcode() >= Opcodes.IALOAD && insn.getOpcode() <= Opcodes.SALOAD;
    boolean isComparison =
        insn.getOpcode() == Opcodes.IF_ACMPEQ || insn.getOpcode() == Opcodes.IF_ACMPNE;
    allow(a, isLoad || isComparison);
    allow(b, isComparison);
    return super.binaryOperation(insn, a, b);
  }

  @Override
  public SourceValue ternaryOperation(
      AbstractInsnNode insn, SourceValue array, SourceValue index, SourceValue value) {
    allow(array, isInitialiser);
    allow(value, false);
    return super.ternaryOperation(insn, array, index, value);
  }

  @Override
  public SourceValue naryOperation(AbstractInsnNode insn, List<? extends SourceValue> values) {
    for (int i = 0; i < values.size(); i++) {
      allow(values.get(i), insn instanceof MethodInsnNode call && onlyReads(call, i));
    }
    return super.naryOperation(insn, values);
  }

  private static boolean onlyReads(MethodInsnNode call, int argument) {
    return isClone(call)
        || call.owner.equals("java/util/Arrays") && READERS_OF_ARRAYS.contains(call.name)
        || call.owner.equals("java/lang/System") && call.name.equals("arraycopy") && argument == 0;
  }
}
