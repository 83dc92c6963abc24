// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.nio.file.Files;
import java.nio.file.Path;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;

/**
 * Writes the class EnteredBy: handles of methods of Entered in a constant pool, and their calls.
 */
public class GenerateEntered {
  private static final String TYPE = "(Ljava/lang/Object;JLjava/lang/Object;)Ljava/lang/String;";

  private static void method(ClassWriter writer, String name, String target) {
    MethodVisitor method = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, TYPE, null, null);
    method.visitCode();
    method.visitLdcInsn(new Handle(H_INVOKESTATIC, "Entered$" + target, "call", TYPE, false));
    method.visitVarInsn(ALOAD, 0);
    method.visitVarInsn(LLOAD, 1);
    method.visitVarInsn(ALOAD, 3);
    method.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", TYPE, false);
    method.visitInsn(ARETURN);
    method.visitMaxs(5, 4);
    method.visitEnd();
  }

  public static void main(String[] args) throws Exception {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(V11, ACC_PUBLIC | ACC_SUPER, "EnteredBy", null, "java/lang/Object", null);
    method(writer, "open", "Open");
    method(writer, "locked", "Locked");
    method(writer, "inNative", "Native");
    writer.visitEnd();
    Files.write(Path.of(args[0], "EnteredBy.class"), writer.toByteArray());
  }
}
