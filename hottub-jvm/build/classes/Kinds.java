// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldNode;

/** What the class files say of a static field whose value is not in them. */
final class Kinds {
  enum Kind {
    /** There is no such field. */
    NONE,
    /** A number or text that the initialiser computes, without a look at properties. */
    COMPUTED,
    /** A number or text of a class whose initialiser looks at properties. */
    PROPERTY,
    /** Leads to one object for ever, which nobody can change. */
    IMMUTABLE,
    /** Leads to one array for ever, to which nobody but the initialiser writes. */
    READ,
    /** Leads to one object for ever, which may change. */
    FINAL,
    /** May lead to another object, or be another number. */
    VARIABLE;

    boolean needsReason() {
      return this == PROPERTY || this == FINAL || this == VARIABLE;
    }
  }

  private final Immutable immutable;
  private final Arrays arrays;
  private final PropertyReads propertyReads;

  Kinds(Jdk jdk) {
    immutable = new Immutable(jdk);
    arrays = new Arrays(jdk, immutable);
    propertyReads = new PropertyReads(jdk);
  }

  Kind of(ClassNode node, FieldNode field) {
    if ((field.access & Opcodes.ACC_FINAL) == 0) {
      return Kind.VARIABLE;
    }
    if (field.desc.length() == 1 || field.desc.equals("Ljava/lang/String;")) {
      // Assertions are options of the command line.
      return !field.name.equals("$assertionsDisabled") && propertyReads.areIn(node)
          ? Kind.PROPERTY
          : Kind.COMPUTED;
    }
    if (immutable.isField(node, field)) {
      return Kind.IMMUTABLE;
    }
    return arrays.isOnlyRead(node, field) ? Kind.READ : Kind.FINAL;
  }
}
