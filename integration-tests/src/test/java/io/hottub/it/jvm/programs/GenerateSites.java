// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.nio.file.Files;
import java.nio.file.Path;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

/** Writes the class kinds.Sites: what javac does not make, but other compilers do. */
public class GenerateSites {
  static final String OWNER = "kinds/CallSites";
  static final String COMMON = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;";

  static ClassWriter writer;

  static MethodVisitor method(String name, String type) {
    MethodVisitor method = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, type, null, null);
    method.visitCode();
    return method;
  }

  static void end(MethodVisitor method, int opcode) {
    method.visitInsn(opcode);
    method.visitMaxs(2, 0);
    method.visitEnd();
  }

  static Handle bootstrap(String name) {
    String type = COMMON + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";
    return new Handle(H_INVOKESTATIC, OWNER, name, type, false);
  }

  static ConstantDynamic constant(String name, String type) {
    String of = COMMON + "Ljava/lang/Class;)Ljava/lang/Object;";
    return new ConstantDynamic(
        name, type, new Handle(H_INVOKESTATIC, OWNER, "constant", of, false));
  }

  static void writeConstructor() {
    MethodVisitor method = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
    method.visitCode();
    method.visitVarInsn(ALOAD, 0);
    method.visitMethodInsn(INVOKESPECIAL, "joins/Joins", "<init>", "()V", false);
    method.visitInsn(RETURN);
    method.visitMaxs(1, 1);
    method.visitEnd();
  }

  /** To a method that is protected in another package, and takes any number of arguments. */
  static void writeReference() {
    String factory = COMMON + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;";
    factory += "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)";
    Handle metafactory =
        new Handle(
            H_INVOKESTATIC,
            "java/lang/invoke/LambdaMetafactory",
            "metafactory",
            factory + "Ljava/lang/invoke/CallSite;",
            false);
    String join = "([Ljava/lang/Object;)Ljava/lang/String;";
    MethodVisitor method = method("reference", "()Ljava/util/function/Function;");
    method.visitTypeInsn(NEW, "kinds/Sites");
    method.visitInsn(DUP);
    method.visitMethodInsn(INVOKESPECIAL, "kinds/Sites", "<init>", "()V", false);
    method.visitInvokeDynamicInsn(
        "apply",
        "(Lkinds/Sites;)Ljava/util/function/Function;",
        metafactory,
        Type.getMethodType("(Ljava/lang/Object;)Ljava/lang/Object;"),
        new Handle(H_INVOKEVIRTUAL, "kinds/Sites", "join", join, false),
        Type.getMethodType("([Ljava/lang/Object;)Ljava/lang/Object;"));
    end(method, ARETURN);
  }

  public static void main(String[] args) throws Exception {
    writer = new ClassWriter(0);
    writer.visit(V11, ACC_PUBLIC | ACC_SUPER, "kinds/Sites", null, "joins/Joins", null);
    // Not final, and no initialiser sets them.
    writer.visitField(ACC_PUBLIC | ACC_STATIC, "count", "I", null, 7);
    writer.visitField(ACC_PUBLIC | ACC_STATIC, "total", "J", null, 8L);
    writer.visitField(ACC_PUBLIC | ACC_STATIC, "share", "D", null, 9.5);
    writer.visitField(ACC_PUBLIC | ACC_STATIC, "text", "Ljava/lang/String;", null, "text of Sites");
    MethodVisitor method = method("site", "()Ljava/lang/Object;");
    method.visitInvokeDynamicInsn("site", "()Ljava/lang/Object;", bootstrap("link"));
    end(method, ARETURN);
    method = method("broken", "()Ljava/lang/Object;");
    method.visitInvokeDynamicInsn("broken", "()Ljava/lang/Object;", bootstrap("fail"));
    end(method, ARETURN);
    method = method("object", "()Ljava/lang/Object;");
    method.visitLdcInsn(constant("object", "Ljava/lang/Object;"));
    end(method, ARETURN);
    method = method("number", "()J");
    method.visitLdcInsn(constant("number", "J"));
    end(method, LRETURN);
    method = method("getter", "()Ljava/lang/invoke/MethodHandle;");
    method.visitLdcInsn(new Handle(H_GETSTATIC, "kinds/CallSites$Behind", "value", "I", false));
    end(method, ARETURN);
    writeConstructor();
    writeReference();
    writer.visitEnd();
    Files.write(Path.of(args[0], "kinds/Sites.class"), writer.toByteArray());
  }
}
