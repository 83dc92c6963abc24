// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/dictionary.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/loaderConstraints.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmSymbols.hpp"
#include "code/codeCache.hpp"
#include "code/debugInfo.hpp"
#include "code/scopeDesc.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubCompilation.hpp"
#include "hottub/hottubConflicts.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "hottub/hottubEviction.hpp"
#include "hottub/hottubLinkage.hpp"
#include "interpreter/bytecodeStream.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/cpCache.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/methodData.hpp"
#include "oops/objArrayKlass.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.hpp"
#include "runtime/vframe.inline.hpp"
#include "runtime/vframe_hp.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

// Those that have given way in this JVM. Added to at safepoints.
static GrowableArray<InstanceKlass*>* _evicted = NULL;
static InstanceKlass* _first = NULL;

InstanceKlass* HotTubEviction::first() { return _first; }

static bool is_initialized_by_run(InstanceKlass* k) {
  return HotTubClasses::has_barrier(k) && k->init_state() >= InstanceKlass::being_initialized;
}

// As far as it shows in the class itself.
static bool is_unused(InstanceKlass* k) {
  return HotTubClasses::is_former(k) && !is_initialized_by_run(k) &&
         k->class_loader() == SystemDictionary::java_system_loader();
}

// A class and what inherits from it, hidden classes among it.
class HotTubFamily : public KlassClosure {
  template <typename T>
  class Set : public ResourceHashtable<T, bool, primitive_hash<T>, primitive_equals<T>, 1009> {};

  InstanceKlass* const _head;
  GrowableArray<InstanceKlass*> _members;
  Set<Klass*> _set;
  Set<Symbol*> _names;

 public:
  HotTubFamily(InstanceKlass* head) : _head(head) { ClassLoaderDataGraph::classes_do(this); }

  // Who is just defining another one has asked for its parents.
  void do_klass(Klass* k) {
    if (k->is_instance_klass() && InstanceKlass::cast(k)->is_loaded() && k->is_subtype_of(_head)) {
      _members.append(InstanceKlass::cast(k));
      _set.put(k, true);
      _names.put(k->name(), true);
    }
  }

  const GrowableArray<InstanceKlass*>& members() const { return _members; }

  bool is_of_interface() const { return _head->is_interface(); }

  bool has(Klass* k) const {
    if (k != NULL && k->is_objArray_klass()) {
      k = ObjArrayKlass::cast(k)->bottom_klass();
    }
    return k != NULL && _set.contains(k);
  }

  bool has_name(Symbol* name) const { return _names.contains(name); }

  // A descriptor with such a name in it?
  bool is_in(Symbol* descriptor) const {
    const char* const text = (const char*)descriptor->bytes();
    const char* const end = text + descriptor->utf8_length();
    for (const char* c = text; c < end; c++) {
      c = (const char*)memchr(c, 'L', end - c);
      const char* semicolon = c == NULL ? NULL : (const char*)memchr(c, ';', end - c);
      if (semicolon == NULL) {
        return false;
      }
      TempNewSymbol name = SymbolTable::probe(c + 1, (int)(semicolon - c) - 1);
      if (name != NULL && has_name(name)) {
        return true;
      }
      c = semicolon;
    }
    return false;
  }
};

// Has the run used one of them, in a way that its class does not show?
class HotTubUse : public ObjectClosure {
  const HotTubFamily& _family;
  bool _is_found = false;

  static bool has_cache_index(Bytecodes::Code code) {
    return (Bytecodes::_getstatic <= code && code <= Bytecodes::_invokeinterface);
  }

  static bool has_class_index(Bytecodes::Code code) {
    return code == Bytecodes::_new || code == Bytecodes::_anewarray ||
           code == Bytecodes::_checkcast || code == Bytecodes::_instanceof ||
           code == Bytecodes::_multianewarray;
  }

  // The class that the instruction names, where that is resolved.
  static Klass* named_at(const methodHandle& method, int bci) {
    BytecodeStream code(method);
    code.set_start(bci);
    const Bytecodes::Code instruction = code.next();
    ConstantPool* cp = method->constants();
    int index = 0;
    if (has_class_index(instruction)) {
      index = code.get_index_u2();
    } else if (has_cache_index(instruction) && cp->cache() != NULL) {
      const int entry = ConstantPool::decode_cpcache_index(code.get_index_u2_cpcache());
      index = cp->uncached_klass_ref_index_at(cp->cache()->entry_at(entry)->constant_pool_index());
    } else if (instruction == Bytecodes::_ldc && code.raw_code() == Bytecodes::_ldc) {
      index = code.get_index_u1();
    } else if (instruction == Bytecodes::_ldc_w && code.raw_code() == Bytecodes::_ldc_w) {
      index = code.get_index_u2();
    }
    return index != 0 && cp->tag_at(index).is_klass() ? cp->resolved_klass_at(index) : NULL;
  }

  // Of a lambda without variables there is one object, which its call site has from an earlier run.
  // Should this run have it, too: what calls an interface looks whether the object has it.
  bool is_kept_by_site(Klass* k) const {
    return k->is_hidden() && k->is_instance_klass() && _family.is_of_interface() &&
           InstanceKlass::cast(k)->nonstatic_field_size() == 0;
  }

  bool has_flag() const {
    for (int i = 0; i < _family.members().length(); i++) {
      if (!is_unused(_family.members().at(i))) {
        return true;
      }
    }
    return false;
  }

  // The reset has put them back to the values of the class file.
  bool has_statics() const {
    for (int i = 0; i < _family.members().length(); i++) {
      if (HotTubClasses::has_statics_of_run(_family.members().at(i))) {
        return true;
      }
    }
    return false;
  }

  // Objects that compiled code makes only if it is left.
  bool has_object(ScopeDesc* scope) const {
    GrowableArray<ScopeValue*>* objects = scope->objects();
    for (int i = objects == NULL ? -1 : objects->length() - 1; i >= 0; i--) {
      ScopeValue* k = objects->at(i)->as_ObjectValue()->klass();
      oop mirror = k == NULL ? NULL : k->as_ConstantOopReadValue()->value()();
      if (mirror != NULL && _family.has(java_lang_Class::as_Klass(mirror))) {
        return true;
      }
    }
    return false;
  }

  bool is_used_by(javaVFrame* frame) const {
    const methodHandle method(Thread::current(), frame->method());
    return _family.has(method->method_holder()) ||
           (!method->is_native() && frame->bci() >= 0 &&
            _family.has(named_at(method, frame->bci()))) ||
           (frame->is_compiled_frame() && !method->is_native() &&
            has_object(compiledVFrame::cast(frame)->scope()));
  }

  bool is_used_by(JavaThread* thread) const {
    if (!thread->has_last_Java_frame()) {
      return false;
    }
    ResourceMark rm;
    HandleMark hm(Thread::current());
    RegisterMap map(thread);
    for (javaVFrame* frame = thread->last_java_vframe(&map); frame != NULL;
         frame = frame->java_sender()) {
      if (is_used_by(frame)) {
        return true;
      }
    }
    return false;
  }

 public:
  HotTubUse(const HotTubFamily& family) : _family(family) {
    _is_found = has_flag() || has_statics();
    for (JavaThreadIteratorWithHandle threads; JavaThread* thread = threads.next();) {
      _is_found = _is_found || is_used_by(thread);
    }
    if (!_is_found) {
      Universe::heap()->ensure_parsability(false /* retire_tlabs */);
      Universe::heap()->object_iterate(this);
    }
  }

  void do_object(oop o) {
    _is_found = _is_found || (_family.has(o->klass()) && !is_kept_by_site(o->klass()));
  }

  bool is_found() const { return _is_found; }
};

// Puts back to the unlinked state what others have linked to a family.
class HotTubUnlinking : public KlassClosure {
  const HotTubFamily& _family;

  bool is_named_by(ConstantPool* cp, int index) const {
    const constantTag tag = cp->tag_at(index);
    if (tag.is_klass_or_reference()) {
      Symbol* name = cp->klass_name_at(index);
      return _family.has_name(name) || _family.is_in(name);
    }
    if (tag.is_method_type()) {
      return _family.is_in(cp->method_type_signature_at(index));
    }
    if (tag.is_method_handle()) {
      return _family.is_in(cp->method_handle_signature_ref_at(index)) ||
             _family.has_name(cp->klass_name_at(cp->method_handle_klass_index_at(index)));
    }
    return false;
  }

  bool is_site_of(ConstantPool* cp, int index) const {
    if (_family.is_in(cp->uncached_signature_ref_at(index))) {
      return true;
    }
    const int arguments =
        cp->tag_at(index).is_invoke_dynamic() ? cp->bootstrap_argument_count_at(index) : 0;
    for (int i = 0; i < arguments; i++) {
      if (is_named_by(cp, cp->bootstrap_argument_index_at(index, i))) {
        return true;
      }
    }
    return false;
  }

  // Fields and methods; returns true if there are such of fields.
  bool unlink_members(ConstantPool* cp) {
    bool has_fields = false;
    for (int i = 0; i < cp->cache()->length(); i++) {
      ConstantPoolCacheEntry* entry = cp->cache()->entry_at(i);
      const int index = entry->constant_pool_index();
      const constantTag tag = cp->tag_at(index);
      if (tag.is_invoke_dynamic() || entry->bytecode_1() == Bytecodes::_invokehandle) {
        if (is_site_of(cp, index)) {
          HotTubLinkage::unlink_site(cp, entry);
        }
        continue;
      }
      const int holder = cp->uncached_klass_ref_index_at(index);
      if (cp->tag_at(holder).is_klass() && _family.has(cp->resolved_klass_at(holder))) {
        has_fields = has_fields || tag.is_field();
        entry->reinitialize(false /* f2 is of what is resolved, too */);
      }
    }
    return has_fields;
  }

  // The interpreter takes a field for resolved when it has replaced the instruction.
  static void restore_instructions(InstanceKlass* k) {
    for (int i = 0; i < k->methods()->length(); i++) {
      const methodHandle method(Thread::current(), k->methods()->at(i));
      BytecodeStream code(method);
      while (code.next() >= 0) {
        const Bytecodes::Code raw = code.raw_code();
        if ((Bytecodes::_fast_agetfield <= raw && raw <= Bytecodes::_fast_sputfield) ||
            (Bytecodes::_fast_iaccess_0 <= raw && raw <= Bytecodes::_fast_faccess_0)) {
          *code.bcp() = (u1)Bytecodes::java_code(raw);
        }
      }
    }
  }

  void unlink_handles(ConstantPool* cp) {
    Array<u2>* places = cp->cache()->reference_map();
    for (int i = 0; places != NULL && i < places->length(); i++) {
      const int index = cp->object_to_cp_index(i);
      const constantTag tag = cp->tag_at(index);
      if ((tag.is_method_handle() || tag.is_method_type()) && is_named_by(cp, index)) {
        cp->resolved_references()->obj_at_put(i, NULL);
      }
    }
  }

  // C2 calls what the callee is in a class that a profile tells.
  static void forget_profiles(InstanceKlass* k) {
    for (int i = 0; i < k->methods()->length(); i++) {
      MethodData* profile = k->methods()->at(i)->method_data();
      if (profile != NULL) {
        profile->clean_method_data(true /* always_clean */);
      }
    }
  }

  void unlink_classes(ConstantPool* cp) {
    for (int i = 1; i < cp->length(); i++) {
      if (cp->tag_at(i).is_klass() && _family.has(cp->resolved_klass_at(i))) {
        cp->resolved_klasses()->at_put(cp->klass_slot_at(i).resolved_klass_index(), NULL);
        cp->tags()->at_put(i, JVM_CONSTANT_UnresolvedClass);
      }
    }
  }

 public:
  HotTubUnlinking(const HotTubFamily& family) : _family(family) {}

  void do_klass(Klass* klass) {
    if (!klass->is_instance_klass()) {
      return;
    }
    InstanceKlass* k = InstanceKlass::cast(klass);
    if (!k->is_loaded() || _family.has(k)) {  // has nothing linked, or will not run again
      return;
    }
    HotTubClasses::forget_nest_host(k, _family.members());
    ConstantPool* cp = k->constants();
    if (cp->cache() != NULL) {
      if (unlink_members(cp)) {
        restore_instructions(k);
      }
      unlink_handles(cp);
    }
    unlink_classes(cp);
    forget_profiles(k);
  }
};

static void forget_in(LoaderConstraintTable* constraints, const HotTubFamily& family) {
  for (int i = 0; i < constraints->table_size(); i++) {
    for (LoaderConstraintEntry* entry = constraints->bucket(i); entry != NULL;
         entry = entry->next()) {
      if (family.has(entry->klass())) {
        entry->set_klass(NULL);
      }
    }
  }
}

class VM_HotTubEvict : public VM_Operation {
  InstanceKlass* const _k;
  LoaderConstraintTable* const _constraints;
  HotTubCompilation::Running _running;
  bool _is_done = false;

 public:
  VM_HotTubEvict(InstanceKlass* k, LoaderConstraintTable* constraints)
      : _k(k), _constraints(constraints) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  bool is_done() const { return _is_done; }
  const HotTubCompilation::Running& running() const { return _running; }

  void doit() {
    ResourceMark rm;
    HandleMark hm(Thread::current());
    if (_evicted != NULL && _evicted->contains(_k)) {
      _is_done = true;  // for another thread
      return;
    }
    _running.take();
    if (!_running.is_none()) {
      return;
    }
    HotTubFamily family(_k);
    HotTubUse use(family);
    if (use.is_found()) {
      HotTubClasses::note_met(_k);
      return;
    }
    HotTubUnlinking unlinking(family);
    ClassLoaderDataGraph::classes_do(&unlinking);
    forget_in(_constraints, family);
    if (_evicted == NULL) {
      _evicted = new (ResourceObj::C_HEAP, mtInternal) GrowableArray<InstanceKlass*>(4, mtInternal);
      _first = _k;
    }
    expel(family);
    CodeCache::mark_all_nmethods_for_deoptimization();
    Deoptimization::deoptimize_all_marked();
    _is_done = true;
    log_info(hottub)("%s of an earlier run gives way, with %d that inherit from it",
                     _k->external_name(), family.members().length() - 1);
  }

 private:
  // No object of them is made any more, whoever has their mirrors or constructors.
  void expel(const HotTubFamily& family) {
    for (int i = 0; i < family.members().length(); i++) {
      InstanceKlass* k = family.members().at(i);
      // One that a run had defined is known to nobody, so nothing has been concluded of it.
      if (!k->is_hidden() &&
          HotTubDefinitions::remove(k->class_loader_data()->dictionary(), k, k->name())) {
        _evicted->append(k);
      }
      HotTubClasses::expel(k);
    }
  }
};

static bool have_same_name(Klass* a, Klass* b) {
  return a == b || (a != NULL && b != NULL && a->name() == b->name());
}

// By their names: a parent may have given way, too.
static bool have_same_parents(InstanceKlass* a, InstanceKlass* b) {
  Array<InstanceKlass*>* of_a = a->local_interfaces();
  Array<InstanceKlass*>* of_b = b->local_interfaces();
  bool is_same = a->is_interface() == b->is_interface() && of_a->length() == of_b->length() &&
                 have_same_name(a->java_super(), b->java_super());
  for (int i = 0; is_same && i < of_a->length(); i++) {
    is_same = have_same_name(of_a->at(i), of_b->at(i));
  }
  return is_same;
}

// For compilations, of which few take seconds.
static const jlong patience_ns = 60 * NANOSECS_PER_SEC;

// Returns false if it stays.
static bool evict(InstanceKlass* k, LoaderConstraintTable* constraints) {
  if (k == NULL || !is_unused(k)) {
    return false;
  }
  const jlong deadline = os::javaTimeNanos() + patience_ns;
  HotTubCompilation::Pause pause;
  VM_HotTubEvict eviction(k, constraints);
  do {
    pause.hold();
    VMThread::execute(&eviction);
  } while (!eviction.is_done() && !eviction.running().is_none() &&
           eviction.running().await_end(JavaThread::current(), deadline));
  return eviction.is_done();
}

static InstanceKlass* find(Symbol* name, Handle loader) {
  Dictionary* dictionary = ClassLoaderData::class_loader_data(loader())->dictionary();
  return dictionary->find_class(dictionary->compute_hash(name), name);
}

static bool has_evicted_with_other_parents(InstanceKlass* k) {
  for (int i = _evicted == NULL ? -1 : _evicted->length() - 1; i >= 0; i--) {
    InstanceKlass* former = _evicted->at(i);
    if (former->name() == k->name() && former->class_loader() == k->class_loader() &&
        !have_same_parents(former, k)) {
      return true;
    }
  }
  return false;
}

void HotTubEviction::make_way_for(InstanceKlass* k, Handle loader,
                                  LoaderConstraintTable* constraints, TRAPS) {
  if (!HotTubClasses::is_base_closed()) {
    return;
  }
  InstanceKlass* there;
  InstanceKlass* constrained;
  {
    MutexLocker ml(THREAD, SystemDictionary_lock);
    there = find(k->name(), loader);
    constrained = constraints->find_constrained_klass(k->name(), loader);
  }
  if (there == NULL || have_same_parents(there, k)) {
    evict(there == k ? NULL : there, constraints);
    evict(constrained == k ? NULL : constrained, constraints);
  }
  if (k->class_loader() == loader() && has_evicted_with_other_parents(k)) {
    {
      MutexLocker ml(THREAD, SystemDictionary_lock);
      HotTubConflicts::note_name_of(k);
    }
    ResourceMark rm(THREAD);
    stringStream text;
    text.print("an earlier run has %s with other parents", k->external_name());
    THROW_MSG(vmSymbols::java_lang_LinkageError(), text.as_string());
  }
}

static Symbol* element_of(Symbol* type) {
  if (!Signature::is_array(type)) {
    return type;
  }
  SignatureStream elements(type, false);
  elements.skip_array_prefix();
  return elements.has_envelope() ? elements.as_symbol() : NULL;  // there as long as its classes
}

bool HotTubEviction::make_way(Symbol* type, Handle loader1, Handle loader2,
                              LoaderConstraintTable* constraints) {
  Symbol* name = element_of(type);
  if (name == NULL || !HotTubClasses::is_base_closed() || Thread::current()->is_Compiler_thread()) {
    return false;
  }
  InstanceKlass* found[4];
  {
    MutexLocker ml(SystemDictionary_lock);
    found[0] = find(name, loader1);
    found[1] = find(name, loader2);
    found[2] = constraints->find_constrained_klass(name, loader1);
    found[3] = constraints->find_constrained_klass(name, loader2);
  }
  bool has_made_way = false;
  for (InstanceKlass* k : found) {
    has_made_way = evict(k, constraints) || has_made_way;
  }
  MutexLocker ml(SystemDictionary_lock);
  for (int i = 0; !has_made_way && i < (int)ARRAY_SIZE(found); i++) {
    HotTubConflicts::note(found[i]);
  }
  return has_made_way;
}
