// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Writes the classes of Triggers: for each row of its table a class whose initialiser counts, and
 * for each row of bytecode one that uses it. Arguments: the folder; then NAME or NAME=CODE.
 */
public class GenerateTriggers {
  private static final String LOOKUP = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;";
  private static final String OBJECT = "java/lang/Object";

  private static Path folder;

  private interface Body {
    void write(MethodVisitor method);
  }

  private static MethodVisitor begin(ClassWriter writer, int access, String name, String type) {
    MethodVisitor method = writer.visitMethod(access, name, type, null, null);
    method.visitCode();
    return method;
  }

  private static void end(MethodVisitor method, int opcode) {
    method.visitInsn(opcode);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static void write(ClassWriter writer, String name) throws IOException {
    writer.visitEnd();
    Files.write(folder.resolve(name + ".class"), writer.toByteArray());
  }

  private static ClassWriter begin(int access, String name, String parent, String... interfaces) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS | ClassWriter.COMPUTE_FRAMES);
    // Private members of interfaces, dynamic constants.
    writer.visit(V11, access, name, null, parent, interfaces);
    return writer;
  }

  private static void constructor(ClassWriter writer, String parent) {
    MethodVisitor method = begin(writer, ACC_PUBLIC, "<init>", "()V");
    method.visitVarInsn(ALOAD, 0);
    method.visitMethodInsn(INVOKESPECIAL, parent, "<init>", "()V", false);
    end(method, RETURN);
  }

  private static void initialiser(ClassWriter writer, Body also) {
    MethodVisitor method = begin(writer, ACC_STATIC, "<clinit>", "()V");
    method.visitFieldInsn(GETSTATIC, "Triggers", "initialised", "I");
    method.visitInsn(ICONST_1);
    method.visitInsn(IADD);
    method.visitFieldInsn(PUTSTATIC, "Triggers", "initialised", "I");
    also.write(method);
    end(method, RETURN);
  }

  private static void field(
      ClassWriter writer, int access, String name, String type, Object value) {
    writer.visitField(ACC_PUBLIC | ACC_STATIC | access, name, type, null, value).visitEnd();
  }

  private static void constants(ClassWriter writer) {
    field(writer, ACC_FINAL, "CONSTANT_I", "I", 7);
    field(writer, ACC_FINAL, "CONSTANT_Z", "Z", 1);
    field(writer, ACC_FINAL, "CONSTANT_C", "C", 8);
    field(writer, ACC_FINAL, "CONSTANT_J", "J", 9L);
    field(writer, ACC_FINAL, "CONSTANT_F", "F", 10f);
    field(writer, ACC_FINAL, "CONSTANT_D", "D", 11d);
    field(writer, ACC_FINAL, "CONSTANT_S", "Ljava/lang/String;", "twelve");
    field(writer, ACC_FINAL, "COMPUTED", "I", null);
  }

  private static void methods(ClassWriter writer) {
    end(push(begin(writer, ACC_PUBLIC | ACC_STATIC, "get", "()I"), 3), IRETURN);
    MethodVisitor method =
        begin(
            writer,
            ACC_PUBLIC | ACC_STATIC,
            "link",
            LOOKUP + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;");
    method.visitTypeInsn(NEW, "java/lang/invoke/ConstantCallSite");
    method.visitInsn(DUP);
    method.visitFieldInsn(GETSTATIC, "Triggers", "THREE", "Ljava/lang/invoke/MethodHandle;");
    method.visitMethodInsn(
        INVOKESPECIAL,
        "java/lang/invoke/ConstantCallSite",
        "<init>",
        "(Ljava/lang/invoke/MethodHandle;)V",
        false);
    end(method, ARETURN);
    method =
        begin(
            writer,
            ACC_PUBLIC | ACC_STATIC,
            "constant",
            LOOKUP + "Ljava/lang/Class;)Ljava/lang/Object;");
    method.visitLdcInsn("made");
    end(method, ARETURN);
  }

  private static MethodVisitor push(MethodVisitor method, int number) {
    method.visitIntInsn(BIPUSH, number);
    return method;
  }

  /** The class of a row, and what it needs around it. */
  private static void target(String name) throws IOException {
    ClassWriter writer =
        begin(ACC_PUBLIC | ACC_SUPER, name, OBJECT, "java/io/Serializable", "java/lang/Cloneable");
    field(writer, ACC_FINAL, "serialVersionUID", "J", 1L);
    constants(writer);
    field(writer, 0, "value", "I", null);
    field(writer, 0, "given", "I", 13);
    initialiser(
        writer,
        method -> {
          push(method, 4).visitFieldInsn(PUTSTATIC, name, "COMPUTED", "I");
          push(method, 5).visitFieldInsn(PUTSTATIC, name, "value", "I");
        });
    constructor(writer, OBJECT);
    methods(writer);
    end(
        push(begin(writer, ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED, "locked", "()I"), 6),
        IRETURN);
    writer
        .visitMethod(ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, "missing", "()I", null, null)
        .visitEnd();
    end(push(begin(writer, ACC_PUBLIC, "own", "()I"), 6), IRETURN);
    write(writer, name);

    writer = begin(ACC_PUBLIC | ACC_SUPER, name + "Sub", name);
    constructor(writer, name);
    write(writer, name + "Sub");

    // An interface without a default method and one with, and what extends and implements them.
    for (String kind : new String[] {"Plain", "Default"}) {
      String type = name + kind;
      writer = begin(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, type, OBJECT);
      constants(writer);
      initialiser(
          writer, method -> push(method, 4).visitFieldInsn(PUTSTATIC, type, "COMPUTED", "I"));
      methods(writer);
      if (kind.equals("Default")) {
        end(push(begin(writer, ACC_PUBLIC, "own", "()I"), 14), IRETURN);
      }
      write(writer, type);
      writer = begin(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, type + "Sub", OBJECT, type);
      field(writer, ACC_FINAL, "OF_SUB", "Ljava/lang/Object;", null);
      MethodVisitor method = begin(writer, ACC_STATIC, "<clinit>", "()V");
      method.visitLdcInsn("sub");
      method.visitFieldInsn(PUTSTATIC, type + "Sub", "OF_SUB", "Ljava/lang/Object;");
      end(method, RETURN);
      write(writer, type + "Sub");
      writer = begin(ACC_PUBLIC | ACC_SUPER, type + "Class", OBJECT, type);
      field(writer, 0, "value", "I", null);
      constructor(writer, OBJECT);
      write(writer, type + "Class");
    }

    writer = begin(ACC_PUBLIC | ACC_SUPER | ACC_FINAL | ACC_ENUM, name + "Enum", "java/lang/Enum");
    field(writer, ACC_FINAL | ACC_ENUM, "ONE", "L" + name + "Enum;", null);
    MethodVisitor method =
        begin(writer, ACC_PUBLIC | ACC_STATIC, "values", "()[L" + name + "Enum;");
    method.visitInsn(ICONST_1);
    method.visitTypeInsn(ANEWARRAY, name + "Enum");
    method.visitInsn(DUP);
    method.visitInsn(ICONST_0);
    method.visitFieldInsn(GETSTATIC, name + "Enum", "ONE", "L" + name + "Enum;");
    method.visitInsn(AASTORE);
    end(method, ARETURN);
    method = begin(writer, ACC_PRIVATE, "<init>", "()V");
    method.visitVarInsn(ALOAD, 0);
    method.visitLdcInsn("ONE");
    method.visitInsn(ICONST_0);
    method.visitMethodInsn(
        INVOKESPECIAL, "java/lang/Enum", "<init>", "(Ljava/lang/String;I)V", false);
    end(method, RETURN);
    initialiser(
        writer,
        m -> {
          m.visitTypeInsn(NEW, name + "Enum");
          m.visitInsn(DUP);
          m.visitMethodInsn(INVOKESPECIAL, name + "Enum", "<init>", "()V", false);
          m.visitFieldInsn(PUTSTATIC, name + "Enum", "ONE", "L" + name + "Enum;");
        });
    write(writer, name + "Enum");
  }

  private static void box(MethodVisitor method, char type) {
    switch (type) {
      case 'J':
        method.visitInsn(L2I);
        break;
      case 'F':
        method.visitInsn(F2I);
        break;
      case 'D':
        method.visitInsn(D2I);
        break;
      case 'S':
        method.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        break;
      default:
    }
  }

  private static void invokeHandle(MethodVisitor method, Handle handle, String type) {
    method.visitLdcInsn(handle);
    if (type.startsWith("(I")) {
      push(method, 9);
    }
    method.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", type, false);
  }

  /** Leaves a number. Of some codes the first word says that it is about an interface. */
  private static void code(MethodVisitor m, String target, String code) {
    String owner = target;
    boolean isInterface = true;
    if (code.startsWith("plain ")) {
      owner = target + "Plain";
    } else if (code.startsWith("default ")) {
      owner = target + "Default";
    } else {
      isInterface = false;
    }
    String kind = code.substring(code.indexOf(' ') + 1);
    if (kind.startsWith("CONSTANT_")) {
      String type = kind.endsWith("S") ? "Ljava/lang/String;" : kind.substring(9);
      m.visitFieldInsn(GETSTATIC, owner, kind, type);
      box(m, kind.charAt(9));
      return;
    }
    switch (kind) {
      case "new":
        m.visitTypeInsn(NEW, owner);
        m.visitInsn(POP);
        push(m, 1);
        break;
      case "object":
        m.visitTypeInsn(NEW, owner);
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, owner, "<init>", "()V", false);
        m.visitMethodInsn(INVOKEVIRTUAL, owner, "own", "()I", false);
        break;
      case "objectOfSub":
        m.visitTypeInsn(NEW, owner + "Sub");
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, owner + "Sub", "<init>", "()V", false);
        m.visitMethodInsn(INVOKEVIRTUAL, owner, "own", "()I", false);
        break;
      case "objectOfClass":
        m.visitTypeInsn(NEW, owner + "Class");
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, owner + "Class", "<init>", "()V", false);
        m.visitMethodInsn(INVOKEVIRTUAL, OBJECT, "getClass", "()Ljava/lang/Class;", false);
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Class", "getModifiers", "()I", false);
        break;
      case "fieldOfClass":
        m.visitFieldInsn(GETSTATIC, owner + "Class", "value", "I");
        break;
      case "fieldOfSub":
        m.visitFieldInsn(GETSTATIC, owner + "Sub", "OF_SUB", "Ljava/lang/Object;");
        m.visitMethodInsn(INVOKEVIRTUAL, OBJECT, "hashCode", "()I", false);
        break;
      case "getComputed":
        m.visitFieldInsn(GETSTATIC, owner, "COMPUTED", "I");
        break;
      case "getComputedOfSub":
        m.visitFieldInsn(GETSTATIC, owner + "Sub", "COMPUTED", "I");
        break;
      case "getConstantOfSub":
        m.visitFieldInsn(GETSTATIC, owner + "Sub", "CONSTANT_I", "I");
        break;
      case "get":
        m.visitFieldInsn(GETSTATIC, owner, "value", "I");
        break;
      case "getOfSub":
        m.visitFieldInsn(GETSTATIC, owner + "Sub", "value", "I");
        break;
      case "getGiven":
        m.visitFieldInsn(GETSTATIC, owner, "given", "I");
        break;
      case "put":
        push(m, 2);
        m.visitInsn(DUP);
        m.visitFieldInsn(PUTSTATIC, owner, "value", "I");
        break;
      case "putGiven":
        push(m, 2);
        m.visitInsn(DUP);
        m.visitFieldInsn(PUTSTATIC, owner, "given", "I");
        break;
      case "call":
        m.visitMethodInsn(INVOKESTATIC, owner, "get", "()I", isInterface);
        break;
      case "callOfSub":
        m.visitMethodInsn(INVOKESTATIC, owner + "Sub", "get", "()I", false);
        break;
      case "callLocked":
        m.visitMethodInsn(INVOKESTATIC, owner, "locked", "()I", false);
        break;
      case "callNative":
        {
          Label from = new Label();
          Label to = new Label();
          Label handler = new Label();
          Label done = new Label();
          m.visitTryCatchBlock(from, to, handler, "java/lang/UnsatisfiedLinkError");
          m.visitLabel(from);
          m.visitMethodInsn(INVOKESTATIC, owner, "missing", "()I", false);
          m.visitLabel(to);
          m.visitJumpInsn(GOTO, done);
          m.visitLabel(handler);
          m.visitInsn(POP);
          push(m, 15);
          m.visitLabel(done);
          break;
        }
      case "handleGet":
        invokeHandle(m, new Handle(H_GETSTATIC, owner, "value", "I", false), "()I");
        break;
      case "handleGetConstant":
        invokeHandle(m, new Handle(H_GETSTATIC, owner, "CONSTANT_I", "I", isInterface), "()I");
        break;
      case "handlePut":
        invokeHandle(m, new Handle(H_PUTSTATIC, owner, "value", "I", false), "(I)V");
        push(m, 1);
        break;
      case "handleCall":
        invokeHandle(m, new Handle(H_INVOKESTATIC, owner, "get", "()I", isInterface), "()I");
        break;
      case "handleCallLocked":
        invokeHandle(m, new Handle(H_INVOKESTATIC, owner, "locked", "()I", false), "()I");
        break;
      case "handleNew":
        invokeHandle(
            m, new Handle(H_NEWINVOKESPECIAL, owner, "<init>", "()V", false), "()L" + owner + ";");
        m.visitMethodInsn(INVOKEVIRTUAL, owner, "own", "()I", false);
        break;
      case "handleOnly":
        m.visitLdcInsn(new Handle(H_INVOKESTATIC, owner, "get", "()I", false));
        m.visitMethodInsn(
            INVOKEVIRTUAL,
            "java/lang/invoke/MethodHandle",
            "type",
            "()Ljava/lang/invoke/MethodType;",
            false);
        m.visitMethodInsn(
            INVOKEVIRTUAL, "java/lang/invoke/MethodType", "parameterCount", "()I", false);
        break;
      case "methodTypeOnly":
        m.visitLdcInsn(Type.getMethodType("(L" + owner + ";)V"));
        m.visitMethodInsn(
            INVOKEVIRTUAL, "java/lang/invoke/MethodType", "parameterCount", "()I", false);
        break;
      case "dynamicCall":
        m.visitInvokeDynamicInsn(
            "dynamic",
            "()I",
            new Handle(
                H_INVOKESTATIC,
                owner,
                "link",
                LOOKUP + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
                isInterface));
        break;
      case "dynamicConstant":
        m.visitLdcInsn(
            new ConstantDynamic(
                "dynamic",
                "Ljava/lang/Object;",
                new Handle(
                    H_INVOKESTATIC,
                    owner,
                    "constant",
                    LOOKUP + "Ljava/lang/Class;)Ljava/lang/Object;",
                    isInterface)));
        m.visitTypeInsn(CHECKCAST, "java/lang/String");
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        break;
      case "array":
        push(m, 2);
        m.visitTypeInsn(ANEWARRAY, owner);
        m.visitInsn(ARRAYLENGTH);
        break;
      case "arrays":
        push(m, 2);
        push(m, 2);
        m.visitMultiANewArrayInsn("[[L" + owner + ";", 2);
        m.visitInsn(ARRAYLENGTH);
        break;
      case "instanceOf":
        m.visitFieldInsn(GETSTATIC, "Triggers", "OBJECT", "Ljava/lang/Object;");
        m.visitTypeInsn(INSTANCEOF, owner);
        break;
      case "cast":
        m.visitInsn(ACONST_NULL);
        m.visitTypeInsn(CHECKCAST, owner);
        m.visitInsn(POP);
        push(m, 1);
        break;
      case "literal":
        m.visitLdcInsn(Type.getObjectType(owner));
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Class", "getModifiers", "()I", false);
        break;
      case "callOnNull":
        {
          Label from = new Label();
          Label to = new Label();
          Label handler = new Label();
          Label done = new Label();
          m.visitTryCatchBlock(from, to, handler, "java/lang/NullPointerException");
          m.visitLabel(from);
          m.visitInsn(ACONST_NULL);
          m.visitTypeInsn(CHECKCAST, owner);
          m.visitMethodInsn(INVOKEVIRTUAL, owner, "own", "()I", false);
          m.visitLabel(to);
          m.visitJumpInsn(GOTO, done);
          m.visitLabel(handler);
          m.visitInsn(POP);
          push(m, 16);
          m.visitLabel(done);
          break;
        }
      default:
        throw new IllegalArgumentException(code);
    }
  }

  private static void user(String name, String target, String code) throws IOException {
    ClassWriter writer =
        begin(ACC_PUBLIC | ACC_SUPER, name, OBJECT, "java/util/function/IntSupplier");
    constructor(writer, OBJECT);
    MethodVisitor method = begin(writer, ACC_PUBLIC, "getAsInt", "()I");
    code(method, target, code);
    end(method, IRETURN);
    write(writer, name);
  }

  public static void main(String[] args) throws IOException {
    folder = Path.of(args[0]);
    for (int i = 1; i < args.length; i++) {
      String[] row = args[i].split("=", 2);
      target("Target" + row[0]);
      if (row.length == 2) {
        user("Use" + row[0], "Target" + row[0], row[1]);
      }
    }
  }
}
