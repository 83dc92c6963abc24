// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.Set;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldNode;

/**
 * Objects that nobody can change, nor what they lead to: all fields are final, and of such types.
 * Of a type, all subclasses that this JDK has count: what initialisers of the JDK make is of its
 * classes.
 */
final class Immutable {
  /** Caches in them follow from what they are; HotTubMirrors clears those of classes. */
  private static final Set<String> KNOWN = Set.of("java/lang/String", "java/lang/Class");

  private final Jdk jdk;
  private final Origins origins;

  /** Classes whose own instances may change. */
  private final Set<String> mutable = new HashSet<>();

  /** Types of which one may. */
  private final Set<String> mutableTypes = new HashSet<>();

  Immutable(Jdk jdk) {
    this.jdk = jdk;
    this.origins = new Origins(jdk, this);
    boolean isDone = false;
    while (!isDone) {
      isDone = true;
      for (ClassNode node : jdk.classes().values()) {
        if (!mutable.contains(node.name) && isMutable(node)) {
          add(node.name);
          isDone = false;
        }
      }
    }
  }

  private boolean isMutable(ClassNode node) {
    if (KNOWN.contains(node.name)) {
      return false;
    }
    if (node.superName != null && mutable.contains(node.superName)) {
      return true;
    }
    for (FieldNode field : node.fields) {
      boolean isFinal = (field.access & Opcodes.ACC_FINAL) != 0;
      if ((field.access & Opcodes.ACC_STATIC) == 0
          && !(isFinal && isType(Type.getType(field.desc)))) {
        return true;
      }
    }
    return false;
  }

  private void add(String name) {
    mutable.add(name);
    addType(name);
  }

  private void addType(String name) {
    if (name != null && mutableTypes.add(name)) {
      ClassNode node = jdk.classes().get(name);
      addType(node.superName);
      node.interfaces.forEach(this::addType);
    }
  }

  /** Whatever a field of this type leads to. */
  boolean isType(Type type) {
    if (type.getSort() != Type.OBJECT) {
      return type.getSort() != Type.ARRAY;
    }
    String name = type.getInternalName();
    ClassNode node = jdk.classes().get(name);
    if (KNOWN.contains(name)) {
      return true;
    }
    return node != null && !mutableTypes.contains(name) && !mayBeLambda(node);
  }

  /** A lambda has no class file, and leads to what it has caught. */
  private static boolean mayBeLambda(ClassNode node) {
    return (node.access & Opcodes.ACC_INTERFACE) != 0
        && node.methods.stream().filter(m -> (m.access & Opcodes.ACC_ABSTRACT) != 0).count() <= 1;
  }

  /** An object of this class itself. */
  boolean isExactly(String name) {
    return jdk.classes().containsKey(name) && !mutable.contains(name);
  }

  /** What a final static field leads to. */
  boolean isField(ClassNode node, FieldNode field) {
    return isType(Type.getType(field.desc)) || origins.areImmutable(node.name, field);
  }
}
