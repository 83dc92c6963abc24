// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.util.HashSet;
import java.util.Set;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.FieldNode;
import jdk.internal.org.objectweb.asm.tree.MethodNode;

/**
 * Arrays that nobody writes to but the initialiser that makes them: the field is seen in its
 * package only, and no code there does anything with it but read.
 */
final class Arrays {
  private final Jdk jdk;
  private final Immutable immutable;

  Arrays(Jdk jdk, Immutable immutable) {
    this.jdk = jdk;
    this.immutable = immutable;
  }

  boolean isOnlyRead(ClassNode node, FieldNode field) {
    Type type = Type.getType(field.desc);
    boolean isSeenElsewhere = (field.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
    if (type.getSort() != Type.ARRAY
        || type.getDimensions() > 1
        || isSeenElsewhere
        || !immutable.isType(type.getElementType())) {
      return false;
    }
    Set<String> owners = new HashSet<>();
    addSubclasses(node.name, owners);
    for (ClassNode other : jdk.packageOf(node.name)) {
      for (MethodNode method : other.methods) {
        boolean isInitialiser = other.name.equals(node.name) && method.name.equals("<clinit>");
        if (!Flow.isConfined(other, method, owners, field.name, isInitialiser)) {
          return false;
        }
      }
    }
    return true;
  }

  private void addSubclasses(String name, Set<String> names) {
    if (names.add(name)) {
      jdk.subclassesOf(name).forEach(subclass -> addSubclasses(subclass, names));
    }
  }
}
