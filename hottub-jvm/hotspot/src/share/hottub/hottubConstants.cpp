// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "code/oopRecorder.hpp"
#include "code/relocInfo.hpp"
#include "compiler/compileBroker.hpp"
#include "gc/shared/collectedHeap.hpp"
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
#include "runtime/handles.inline.hpp"
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
  OopHandle handle;  // T_OBJECT; empty: code holds the handle of one run
  bool folded;       // that of this run
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

jlong HotTubConstants::primitive_value(oop holder, int offset, BasicType type) {
  switch (type) {
    case T_BOOLEAN:
      return holder->bool_field(offset);
    case T_BYTE:
      return holder->byte_field(offset);
    case T_CHAR:
      return holder->char_field(offset);
    case T_SHORT:
      return holder->short_field(offset);
    case T_INT:
    case T_FLOAT:  // its bits: zeros of either sign and all NaNs are different values
      return holder->int_field(offset);
    default:
      return holder->long_field(offset);
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

// The form of a handle that is often called is a copy made for it, which knows the one that it is
// made of.
class HotTubLambdaForm : public FieldClosure {
  oop _form;
  oop _customized = NULL;
  oop _made_of = NULL;

 public:
  explicit HotTubLambdaForm(oop form) : _form(form) {
    InstanceKlass::cast(form->klass())->do_nonstatic_fields(this);
  }
  void do_field(fieldDescriptor* fd) {
    if (fd->name()->equals("customized")) {
      _customized = _form->obj_field(fd->offset());
    } else if (fd->name()->equals("transformCache")) {
      _made_of = _form->obj_field(fd->offset());
    }
  }
  oop shared() const { return _customized == NULL ? _form : _made_of; }
};

static bool is_handle(oop value) {
  return value != NULL && (value->klass()->is_subclass_of(vmClasses::VarHandle_klass()) ||
                           value->klass()->is_subclass_of(vmClasses::MethodHandle_klass()));
}

// Do two handles of the same class lead to the same thing? Handles may be combined of others. No
// also if a part is an object of a run, or of a kind whose meaning is not known: a handle that is
// the same as itself may outlive a run.
class HotTubHandleComparison : public FieldClosure {
  static const int max_depth = 10;

  oop _a;
  oop _b;
  int _depth;

  HotTubHandleComparison(oop a, oop b, int depth) : _a(a), _b(b), _depth(depth) {}

  // What a handle caches. The form is compared apart from the other fields.
  static bool says_nothing(fieldDescriptor* fd) {
    Symbol* holder = fd->field_holder()->name();
    Symbol* name = fd->name();
    return holder == vmSymbols::java_lang_invoke_MethodHandle() ? !name->equals("type")
           : holder == vmSymbols::java_lang_invoke_VarHandle()  ? name->equals("typesAndInvokers")
                                                                : name->equals("asCollectorCache");
  }

  static bool may_outlive_run(Klass* k) {
    // A handle of a static field checks at its first use only that the field's class is
    // initialized.
    return k->class_loader() == NULL && !InstanceKlass::cast(k)->is_hidden() &&
           !k->name()->equals("java/lang/invoke/DirectMethodHandle$StaticAccessor");
  }

  // That of a direct handle follows from its class, type and member. Others with the same meaning
  // get the same one, as the class library finds it in its caches while the old handle holds it.
  static bool same_form(oop a, oop b) {
    if (!a->klass()->is_subclass_of(vmClasses::MethodHandle_klass()) ||
        a->klass()->is_subclass_of(vmClasses::DirectMethodHandle_klass())) {
      return true;
    }
    return HotTubLambdaForm(java_lang_invoke_MethodHandle::form(a)).shared() ==
           HotTubLambdaForm(java_lang_invoke_MethodHandle::form(b)).shared();
  }

  bool same_part(oop a, oop b) const {
    if (a == NULL || b == NULL || a->klass() != b->klass()) {
      return a == NULL && b == NULL;
    }
    if (java_lang_Class::is_instance(a)) {
      return a == b && is_of_jvm(a);
    }
    if (java_lang_invoke_MethodType::is_instance(a)) {
      return is_method_type_of_jvm(a) && same_method_type(a, b);
    }
    if (java_lang_invoke_MemberName::is_instance(a)) {
      return is_of_jvm(java_lang_invoke_MemberName::clazz(a)) && same_member(a, b);
    }
    if (a->klass()->name()->equals("java/lang/invoke/VarForm") ||
        a->klass()->name()->equals("java/lang/invoke/MethodHandleImpl$Intrinsic")) {
      return a == b;
    }
    return is_same(a, b, _depth + 1);
  }

 public:
  bool same = true;

  void do_field(fieldDescriptor* fd) {
    if (!same || says_nothing(fd)) {
      return;
    }
    const int offset = fd->offset();
    same = is_reference_type(fd->field_type())
               ? same_part(_a->obj_field(offset), _b->obj_field(offset))
               : HotTubConstants::primitive_value(_a, offset, fd->field_type()) ==
                     HotTubConstants::primitive_value(_b, offset, fd->field_type());
  }

  static bool is_same(oop a, oop b, int depth = 0) {
    if (b == NULL || a->klass() != b->klass() || !is_handle(a) || !may_outlive_run(a->klass()) ||
        depth > max_depth || !same_form(a, b)) {
      return false;
    }
    HotTubHandleComparison comparison(a, b, depth);
    InstanceKlass::cast(a->klass())->do_nonstatic_fields(&comparison);
    return comparison.same;
  }
};

static Constant* find(Constants* constants, int offset) {
  for (int i = 0; i < constants->fields->length(); i++) {
    if (constants->fields->at(i).offset == offset) {
      return constants->fields->adr_at(i);
    }
  }
  return NULL;
}

// java.util.HotTubSalts writes them.
bool HotTubConstants::are_drawn(const InstanceKlass* k) {
  return UseHotTub && k->name()->equals("java/util/ImmutableCollections");
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
    Constant constant = {offset, type, false, 0, OopHandle(), false};
    if (type == T_OBJECT) {
      oop value = k->java_mirror()->obj_field(offset);
      if (!is_handle(value)) {
        return false;
      }
      if (HotTubHandleComparison::is_same(value, value)) {
        constant.handle = OopHandle(Universe::vm_global(), value);
      }
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
  if (type == T_OBJECT && *handle == NULL) {
    *handle = k->java_mirror()->obj_field(offset);
    known->folded = true;
  }
  return type != T_OBJECT || *handle != NULL;
}

static bool looks_at(nmethod* code, InstanceKlass* holder) {
  for (Metadata** p = code->metadata_begin(); p < code->metadata_end(); p++) {
    if (*p == holder) {
      return true;
    }
  }
  return false;
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
      if (looks_at(code, _holder)) {
        code->mark_for_deoptimization();
      }
    }
    Deoptimization::deoptimize_all_marked();
  }
};

// Handles of this run, in the place of those with the same meaning that code holds.
class VM_HotTubHandlesRenewed : public VM_Operation {
  InstanceKlass* _holder;
  GrowableArray<Handle>* _old;
  GrowableArray<Handle>* _renewed;

  void renew(oop* place) const {
    if (*place == NULL || *place == Universe::non_oop_word()) {
      return;
    }
    for (int i = 0; i < _old->length(); i++) {
      if (*place == _old->at(i)()) {
        *place = _renewed->at(i)();
        return;
      }
    }
  }

  // Those that code has in a table, and those that it has within instructions. The collector knows
  // for each part of the heap which code leads there: it has to forget the old parts, or it would
  // follow them to code that is not there any more.
  void renew_all(nmethod* code) const {
    Universe::heap()->unregister_nmethod(code);
    for (oop* p = code->oops_begin(); p < code->oops_end(); p++) {
      renew(p);
    }
    RelocIterator places(code);
    while (places.next()) {
      if (places.type() == relocInfo::oop_type && places.oop_reloc()->oop_is_immediate()) {
        renew(places.oop_reloc()->oop_addr());
      }
    }
    code->fix_oop_relocations();
    Universe::heap()->register_nmethod(code);
  }

 public:
  VM_HotTubHandlesRenewed(InstanceKlass* holder, GrowableArray<Handle>* old,
                          GrowableArray<Handle>* renewed)
      : _holder(holder), _old(old), _renewed(renewed) {}
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    NMethodIterator iterator(NMethodIterator::only_alive);
    while (iterator.next()) {
      nmethod* code = iterator.method();
      if (looks_at(code, _holder)) {
        renew_all(code);
      }
    }
  }
};

// As two names of one handle are the same object, and two handles are not.
static bool is_one_to_one(GrowableArray<Handle>* old, GrowableArray<Handle>* renewed) {
  for (int i = 0; i < old->length(); i++) {
    for (int j = 0; j < i; j++) {
      if ((old->at(i)() == old->at(j)()) != (renewed->at(i)() == renewed->at(j)())) {
        return false;
      }
    }
  }
  return true;
}

void HotTubConstants::settle(InstanceKlass* k, TRAPS) {
  if (!HotTubClasses::has_constants(k)) {
    return;
  }
  ResourceMark rm(THREAD);
  HandleMark hm(THREAD);
  GrowableArray<Handle> old_handles, renewed_handles;
  bool changed = false;
  {
    MutexLocker ml(THREAD, Compile_lock);
    Constants* constants = _table->get(k);
    oop mirror = k->java_mirror();
    for (int i = 0; i < constants->fields->length(); i++) {
      Constant* constant = constants->fields->adr_at(i);
      if (constant->changed) {
        continue;
      } else if (constant->type != T_OBJECT) {
        constant->changed =
            constant->bits != primitive_value(mirror, constant->offset, constant->type);
        changed = changed || constant->changed;
      } else if (constant->handle.is_empty()) {
        changed = changed || constant->folded;
        constant->folded = false;
      } else {
        oop old = constant->handle.resolve();
        oop renewed = mirror->obj_field(constant->offset);
        if (HotTubHandleComparison::is_same(old, renewed)) {
          if (old != renewed) {
            old_handles.append(Handle(THREAD, old));
            renewed_handles.append(Handle(THREAD, renewed));
            constant->handle.replace(renewed);
          }
        } else {
          constant->handle.release(Universe::vm_global());
          constant->handle = OopHandle();
          changed = true;
        }
      }
    }
    changed |= !is_one_to_one(&old_handles, &renewed_handles);
    if (changed || old_handles.is_nonempty()) {
      _changed_classes += constants->changed_at == 0;
      constants->changed_at = (int)CompileBroker::get_compilation_id();
    }
  }
  if (changed) {
    VM_HotTubConstantsChanged op(k);
    VMThread::execute(&op);
  } else if (old_handles.is_nonempty()) {
    VM_HotTubHandlesRenewed op(k, &old_handles, &renewed_handles);
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
