/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "code/oopRecorder.hpp"
#include "compiler/compileBroker.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubConstants.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

namespace {

// All below are protected by Compile_lock.
struct Constant {
  int offset;
  BasicType type;
  bool changed;      // once another value was seen: never folded again
  jlong bits;        // primitive types
  OopHandle handle;  // T_OBJECT
};

struct Constants {
  GrowableArray<Constant>* fields;
  int changed_at;  // compilations up to this id may have folded an old value; 0: never
};

typedef ResourceHashtable<InstanceKlass*, Constants, primitive_hash<InstanceKlass*>,
                          primitive_equals<InstanceKlass*>, 1009, ResourceObj::C_HEAP, mtInternal>
    Table;

}  // namespace

static Table* _table = NULL;
static int _changed_classes = 0;

static jlong primitive_value(oop mirror, int offset, BasicType type) {
  switch (type) {
    case T_BOOLEAN:
      return mirror->bool_field(offset);
    case T_BYTE:
      return mirror->byte_field(offset);
    case T_CHAR:
      return mirror->char_field(offset);
    case T_SHORT:
      return mirror->short_field(offset);
    case T_INT:
    case T_FLOAT:  // its bits: zeros of either sign and all NaNs are different values
      return mirror->int_field(offset);
    default:
      return mirror->long_field(offset);
  }
}

static bool is_of_jvm(oop mirror) {
  Klass* k = java_lang_Class::as_Klass(mirror);  // NULL: a primitive type
  return k == NULL || (k->class_loader_data()->is_builtin_class_loader_data() && !k->is_hidden());
}

static bool is_method_type_of_jvm(oop type) {
  bool all = is_of_jvm(java_lang_invoke_MethodType::rtype(type));
  for (int i = java_lang_invoke_MethodType::ptype_count(type) - 1; i >= 0 && all; i--) {
    all = is_of_jvm(java_lang_invoke_MethodType::ptype(type, i));
  }
  return all;
}

static bool same_method_type(oop a, oop b) {
  if (java_lang_invoke_MethodType::rtype(a) != java_lang_invoke_MethodType::rtype(b) ||
      java_lang_invoke_MethodType::ptype_count(a) != java_lang_invoke_MethodType::ptype_count(b)) {
    return false;
  }
  for (int i = java_lang_invoke_MethodType::ptype_count(a) - 1; i >= 0; i--) {
    if (java_lang_invoke_MethodType::ptype(a, i) != java_lang_invoke_MethodType::ptype(b, i)) {
      return false;
    }
  }
  return true;
}

static bool same_member(oop a, oop b) {
  return java_lang_invoke_MemberName::clazz(a) == java_lang_invoke_MemberName::clazz(b) &&
         java_lang_invoke_MemberName::flags(a) == java_lang_invoke_MemberName::flags(b) &&
         java_lang_invoke_MemberName::vmtarget(a) == java_lang_invoke_MemberName::vmtarget(b) &&
         java_lang_invoke_MemberName::vmindex(a) == java_lang_invoke_MemberName::vmindex(b);
}

// What a MethodHandle caches, and its form, which follows from its class, type and member.
static bool says_nothing(fieldDescriptor* fd) {
  if (fd->field_holder()->name() != vmSymbols::java_lang_invoke_MethodHandle()) {
    return false;
  }
  return !fd->name()->equals("type");
}

// Fields of a handle: is each of a kind whose meaning is known, and not of a run?
class HotTubHandleCheck : public FieldClosure {
  oop _handle;

  bool is_good(oop part) {
    if (part == NULL || java_lang_Class::is_instance(part)) {
      return part == NULL || is_of_jvm(part);
    }
    if (java_lang_invoke_MethodType::is_instance(part)) {
      return is_method_type_of_jvm(part);
    }
    if (java_lang_invoke_MemberName::is_instance(part)) {
      return is_of_jvm(java_lang_invoke_MemberName::clazz(part));
    }
    return part->klass()->name()->equals("java/lang/invoke/VarForm");
  }

 public:
  bool good = true;
  explicit HotTubHandleCheck(oop handle) : _handle(handle) {}
  void do_field(fieldDescriptor* fd) {
    if (is_reference_type(fd->field_type()) && !says_nothing(fd)) {
      good = good && is_good(_handle->obj_field(fd->offset()));
    }
  }
};

static bool is_foldable_handle(oop value) {
  if (value == NULL || !value->klass()->is_instance_klass()) {
    return false;
  }
  InstanceKlass* k = InstanceKlass::cast(value->klass());
  // A handle of a static field checks at its first use only that the field's class is initialized.
  if (k->class_loader() != NULL || k->is_hidden() ||
      k->name()->equals("java/lang/invoke/DirectMethodHandle$StaticAccessor") ||
      !(k->is_subclass_of(vmClasses::VarHandle_klass()) ||
        k->is_subclass_of(vmClasses::DirectMethodHandle_klass()))) {
    return false;
  }
  HotTubHandleCheck check(value);
  k->do_nonstatic_fields(&check);
  return check.good;
}

// Do two handles of the same class lead to the same thing?
class HotTubHandleComparison : public FieldClosure {
  oop _a;
  oop _b;

  static bool same_part(oop a, oop b) {
    if (a == b) {
      return true;
    }
    if (a == NULL || b == NULL || a->klass() != b->klass()) {
      return false;
    }
    return java_lang_invoke_MethodType::is_instance(a)   ? same_method_type(a, b)
           : java_lang_invoke_MemberName::is_instance(a) ? same_member(a, b)
                                                         : false;
  }

 public:
  bool same = true;
  HotTubHandleComparison(oop a, oop b) : _a(a), _b(b) {}
  void do_field(fieldDescriptor* fd) {
    if (says_nothing(fd)) {
      return;
    }
    const int offset = fd->offset();
    if (is_reference_type(fd->field_type())) {
      same = same && same_part(_a->obj_field(offset), _b->obj_field(offset));
    } else {
      same = same && primitive_value(_a, offset, fd->field_type()) ==
                         primitive_value(_b, offset, fd->field_type());
    }
  }
};

static bool is_same_handle(oop a, oop b) {
  if (a == b) {
    return true;
  }
  if (b == NULL || a->klass() != b->klass()) {
    return false;
  }
  HotTubHandleComparison comparison(a, b);
  InstanceKlass::cast(a->klass())->do_nonstatic_fields(&comparison);
  return comparison.same;
}

static Constant* find(Constants* constants, int offset) {
  for (int i = 0; i < constants->fields->length(); i++) {
    if (constants->fields->at(i).offset == offset) {
      return constants->fields->adr_at(i);
    }
  }
  return NULL;
}

bool HotTubConstants::fold(InstanceKlass* k, int offset, BasicType type, jlong* bits, oop* handle) {
  MutexLocker ml(Compile_lock);
  NoSafepointVerifier nsv;
  if (!k->is_initialized()) {
    return false;
  }
  if (_table == NULL) {
    _table = new (ResourceObj::C_HEAP, mtInternal) Table();
  }
  Constants* constants = _table->get(k);
  Constant* known = constants == NULL ? NULL : find(constants, offset);
  if (known == NULL) {
    Constant constant = {offset, type, false, 0, OopHandle()};
    if (type == T_OBJECT) {
      oop value = k->java_mirror()->obj_field(offset);
      if (!is_foldable_handle(value)) {
        return false;
      }
      constant.handle = OopHandle(Universe::vm_global(), value);
    } else {
      constant.bits = primitive_value(k->java_mirror(), offset, type);
    }
    if (constants == NULL) {
      Constants empty = {
          new (ResourceObj::C_HEAP, mtInternal) GrowableArray<Constant>(2, mtInternal), 0};
      _table->put(k, empty);
      constants = _table->get(k);
      HotTubClasses::note_constants(k);
    }
    constants->fields->append(constant);
    known = find(constants, offset);
  }
  if (known->changed) {
    return false;
  }
  *bits = known->bits;
  *handle = known->handle.resolve();  // NULL for a primitive type
  return true;
}

class VM_HotTubConstantsChanged : public VM_Operation {
  InstanceKlass* _holder;

 public:
  VM_HotTubConstantsChanged(InstanceKlass* holder) : _holder(holder) {}
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    NMethodIterator iterator(NMethodIterator::only_alive);
    while (iterator.next()) {
      nmethod* code = iterator.method();
      for (Metadata** p = code->metadata_begin(); p < code->metadata_end(); p++) {
        if (*p == _holder) {
          code->mark_for_deoptimization();
          break;
        }
      }
    }
    Deoptimization::deoptimize_all_marked();
  }
};

void HotTubConstants::settle(InstanceKlass* k, TRAPS) {
  if (!HotTubClasses::has_constants(k)) {
    return;
  }
  bool changed = false;
  {
    MutexLocker ml(THREAD, Compile_lock);
    Constants* constants = _table->get(k);
    oop mirror = k->java_mirror();
    for (int i = 0; i < constants->fields->length(); i++) {
      Constant* constant = constants->fields->adr_at(i);
      bool same;
      if (constant->changed) {
        continue;
      } else if (constant->type == T_OBJECT) {
        oop old = constant->handle.resolve();
        same = is_same_handle(old, mirror->obj_field(constant->offset));
        if (same) {
          mirror->obj_field_put(constant->offset, old);
        }
      } else {
        same = constant->bits == primitive_value(mirror, constant->offset, constant->type);
      }
      if (!same) {
        constant->changed = true;
        changed = true;
      }
    }
    if (changed) {
      _changed_classes += constants->changed_at == 0;
      constants->changed_at = (int)CompileBroker::get_compilation_id();
    }
  }
  if (changed) {
    VM_HotTubConstantsChanged op(k);
    VMThread::execute(&op);
  }
}

bool HotTubConstants::is_stale(int compile_id, OopRecorder* recorder) {
  if (_changed_classes == 0) {
    return false;
  }
  for (int i = 0; i < recorder->metadata_count(); i++) {
    Metadata* metadata = recorder->metadata_at(i);
    if (metadata != NULL && metadata != (Metadata*)Universe::non_oop_word() &&
        metadata->is_klass() && ((Klass*)metadata)->is_instance_klass()) {
      InstanceKlass* k = InstanceKlass::cast((Klass*)metadata);
      if (HotTubClasses::has_constants(k) && compile_id <= _table->get(k)->changed_at) {
        return true;
      }
    }
  }
  return false;
}
