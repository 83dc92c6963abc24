// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/resolutionErrors.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmClasses.hpp"
#include "classfile/vmSymbols.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "code/oopRecorder.hpp"
#include "compiler/compileBroker.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "hottub/hottub.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubHidden.hpp"
#include "hottub/hottubLinkage.hpp"
#include "hottub/hottubPrivate.hpp"
#include "interpreter/bootstrapInfo.hpp"
#include "jvm_constants.h"
#include "memory/iterator.inline.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/cpCache.inline.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/growableArray.hpp"
#include "utilities/resourceHash.hpp"

// Holders of the bootstrap methods whose call sites follow from the class file alone.
static const char* const pure_holders[] = {
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/StringConcatFactory",
    "java/lang/runtime/ObjectMethods",
};

static bool has_pure_bootstrap(ConstantPool* cp, int index) {
  const int handle = cp->bootstrap_method_ref_index_at(index);
  Symbol* holder = cp->klass_name_at(cp->method_handle_klass_index_at(handle));
  bool is_pure = false;
  for (const char* name : pure_holders) {
    is_pure = is_pure || holder->equals(name);
  }
  for (int i = cp->bootstrap_argument_count_at(index) - 1; i >= 0; i--) {
    constantTag tag = cp->tag_at(cp->bootstrap_argument_index_at(index, i));
    is_pure = is_pure && !tag.is_dynamic_constant() && !tag.is_dynamic_constant_in_error();
  }
  return is_pure;
}

static bool has_state(ConstantPool* cp, int index) {
  constantTag tag = cp->tag_at(index);
  if (tag.is_dynamic_constant()) {
    return true;
  }
  if (tag.is_invoke_dynamic()) {
    return !has_pure_bootstrap(cp, index);
  }
  if (tag.is_method_handle()) {
    const int kind = cp->method_handle_ref_kind_at(index);
    return kind == JVM_REF_getStatic || kind == JVM_REF_putStatic;
  }
  return false;
}

bool HotTubLinkage::has_state(InstanceKlass* k) {
  ConstantPool* cp = k->constants();
  for (int i = 1; i < cp->length(); i++) {
    if (::has_state(cp, i)) {
      return true;
    }
  }
  return false;
}

void HotTubLinkage::note_use(InstanceKlass* k, OopRecorder* recorder) {
  // Without a recorder nothing is compiled yet; the parsers look again.
  if (HotTubClasses::has_linkage(k) && recorder != NULL) {
    recorder->find_index((Metadata*)k);
  }
}

static int _unlinked_at = 0;  // compilations up to this id may have seen what was unlinked last
static bool _has_unlinked = false;

static bool has_unlinked(Metadata* metadata) {
  return metadata != NULL && metadata != (Metadata*)Universe::non_oop_word() &&
         metadata->is_klass() && ((Klass*)metadata)->is_instance_klass() &&
         HotTubClasses::has_unlinked(InstanceKlass::cast((Klass*)metadata));
}

bool HotTubLinkage::is_stale(int compile_id, OopRecorder* recorder) {
  if (compile_id > _unlinked_at) {
    return false;
  }
  for (int i = 0; i < recorder->metadata_count(); i++) {
    if (has_unlinked(recorder->metadata_at(i))) {
      return true;
    }
  }
  return false;
}

// The call site of a lambda whose class initializes an interface, as it is linked.
struct HotTubLambdaSite {
  InstanceKlass* lambda;
  Method* method;
  OopHandle appendix;
};

typedef ResourceHashtable<
    ConstantPoolCacheEntry*, HotTubLambdaSite, primitive_hash<ConstantPoolCacheEntry*>,
    primitive_equals<ConstantPoolCacheEntry*>, 1009, ResourceObj::C_HEAP, mtInternal>
    HotTubLambdaSites;

// Of classes that stay.  Under Compile_lock, or at a safepoint.
static HotTubLambdaSites* _lambda_sites = new (ResourceObj::C_HEAP, mtInternal) HotTubLambdaSites();

// What a call site of a lambda calls has the lambda, or the class of which it makes one.
static InstanceKlass* lambda_of(oop handle) {
  class Finder : public BasicOopIterateClosure {
   public:
    InstanceKlass* found = NULL;
    void look(oop o) {
      Klass* k = o == NULL ? NULL : o->klass();
      if (java_lang_Class::is_instance(o)) {
        k = java_lang_Class::as_Klass(o);
      }
      if (k != NULL && k->is_hidden() && k->is_instance_klass()) {
        found = InstanceKlass::cast(k);
      }
    }
    void do_oop(oop* p) { look(RawAccess<>::oop_load(p)); }
    void do_oop(narrowOop* p) { look(RawAccess<>::oop_load(p)); }
  } finder;
  handle->oop_iterate(&finder);
  return finder.found;
}

static bool is_lambda_site(ConstantPool* cp, int index) {
  const int handle = cp->bootstrap_method_ref_index_at(index);
  Symbol* holder = cp->klass_name_at(cp->method_handle_klass_index_at(handle));
  return has_pure_bootstrap(cp, index) && holder->equals("java/lang/invoke/LambdaMetafactory");
}

// The first of several threads.
static void add_lambda_site(BootstrapInfo& site, InstanceKlass* lambda) {
  InstanceKlass* caller = site.caller();
  MutexLocker ml(Compile_lock);
  HotTubClasses::note_linkage(caller);
  if (_lambda_sites->get(site.invokedynamic_cp_cache_entry()) == NULL) {
    const HotTubLambdaSite added = {lambda, site.resolved_method()(),
                                    OopHandle(Universe::vm_global(), site.resolved_appendix()())};
    _lambda_sites->put(site.invokedynamic_cp_cache_entry(), added);
  }
}

static bool find_lambda_site(BootstrapInfo& site, HotTubLambdaSite* found) {
  MutexLocker ml(Compile_lock);
  HotTubLambdaSite* known = _lambda_sites->get(site.invokedynamic_cp_cache_entry());
  if (known != NULL) {
    *found = *known;
  }
  return known != NULL;
}

static void remove_lambda_site(ConstantPoolCacheEntry* entry) {
  HotTubLambdaSite* known = _lambda_sites->get(entry);
  if (known != NULL) {
    known->appendix.release(Universe::vm_global());
    _lambda_sites->remove(entry);
  }
}

// LambdaMetafactory throws this when the class cannot be initialized.
static void throw_as_metafactory(TRAPS) {
  ResourceMark rm(THREAD);
  Handle cause(THREAD, PENDING_EXCEPTION);
  CLEAR_PENDING_EXCEPTION;
  stringStream text;
  java_lang_Throwable::print(cause(), &text);
  THROW_MSG_CAUSE(vmSymbols::java_lang_InternalError(), text.as_string(), cause);
}

// Links it as in the runs before.
static bool link_again(BootstrapInfo& site, TRAPS) {
  HotTubLambdaSite found;
  if (!find_lambda_site(site, &found)) {
    return false;
  }
  found.lambda->initialize(THREAD);
  if (HAS_PENDING_EXCEPTION) {
    {
      MutexLocker ml(Compile_lock);
      remove_lambda_site(site.invokedynamic_cp_cache_entry());
    }
    if (!HotTub::is_dying(THREAD)) {
      throw_as_metafactory(CHECK_(true));
    }
    return true;
  }
  site.set_resolved_method(methodHandle(THREAD, found.method),
                           Handle(THREAD, found.appendix.resolve()));
  return true;
}

void HotTubLinkage::link(BootstrapInfo& site, TRAPS) {
  const bool may_be_lambda = UseHotTub && HotTubClasses::is_base_closed() &&
                             site.caller()->class_loader_data()->is_permanent_class_loader_data() &&
                             is_lambda_site(site.pool()(), site.bss_index());
  if (may_be_lambda) {
    const bool is_linked = link_again(site, CHECK);
    if (is_linked) {
      return;
    }
  }
  SystemDictionary::invoke_bootstrap_method(site, CHECK);
  if (may_be_lambda && site.resolved_appendix().not_null()) {
    InstanceKlass* lambda = lambda_of(site.resolved_appendix()());
    if (lambda != NULL) {
      HotTubHidden::note_linked(lambda);
      if (HotTubClasses::has_barrier(lambda)) {
        add_lambda_site(site, lambda);
      }
    }
  }
}

static bool unlink(ConstantPool* cp, ConstantPoolCacheEntry* entry) {
  const bool is_linked = !entry->is_f1_null() || entry->indy_resolution_failed();
  if (is_linked) {
    cp->resolved_references()->obj_at_put(entry->f2_as_index(), NULL);
    entry->reinitialize(true /* f2 is the place of the reference */);
  }
  return is_linked;
}

void HotTubLinkage::unlink_site(ConstantPool* cp, ConstantPoolCacheEntry* entry) {
  assert(SafepointSynchronize::is_at_safepoint(), "others may be linking it");
  unlink(cp, entry);
  remove_lambda_site(entry);
}

void HotTubLinkage::reset_class(InstanceKlass* k) {
  ConstantPool* cp = k->constants();
  ConstantPoolCache* cache = cp->cache();
  if (cache == NULL || cp->resolved_references() == NULL) {
    return;
  }
  bool changed = false;
  for (int i = 0; i < cache->length(); i++) {
    ConstantPoolCacheEntry* entry = cache->entry_at(i);
    const int index = entry->constant_pool_index();
    if (cp->tag_at(index).is_invoke_dynamic() &&
        (::has_state(cp, index) || _lambda_sites->get(entry) != NULL)) {
      changed |= unlink(cp, entry);
    }
  }
  const int references = cache->reference_map() == NULL ? 0 : cache->reference_map()->length();
  for (int i = 0; i < references; i++) {
    if (::has_state(cp, cp->object_to_cp_index(i)) &&
        cp->resolved_references()->obj_at(i) != NULL) {
      cp->resolved_references()->obj_at_put(i, NULL);
      changed = true;
    }
  }
  if (changed) {
    HotTubClasses::note_unlinked(k);
    _has_unlinked = true;
  }
}

HOTTUB_PRIVATE_MEMBER(HotTubResolutionErrors, ResolutionErrorTable**,
                      SystemDictionary::_resolution_errors)

static void clear_errors(ConstantPool* cp) {
  for (int i = 1; i < cp->length(); i++) {
    const constantTag tag = cp->tag_at(i);
    if (tag.is_in_error()) {
      cp->tags()->at_put(i, tag.non_error_value());
    }
  }
  ConstantPoolCache* cache = cp->cache();
  for (int i = 0; cache != NULL && i < cache->length(); i++) {
    if (cp->tag_at(cache->entry_at(i)->constant_pool_index()).is_invoke_dynamic() &&
        cache->entry_at(i)->indy_resolution_failed()) {
      unlink(cp, cache->entry_at(i));
    }
  }
}

// An error about a nest host belongs to a class that is wrong in itself, in every run.
static void clear_errors() {
  ResolutionErrorTable* table = *address_of(HotTubResolutionErrors());
  GrowableArray<ConstantPool*> pools(16, mtInternal);
  GrowableArray<ConstantPool*> wrong(0, mtInternal);
  for (int i = 0; i < table->table_size(); i++) {
    for (ResolutionErrorEntry* entry = table->bucket(i); entry != NULL; entry = entry->next()) {
      (entry->nest_host_error() == NULL ? pools : wrong).append_if_missing(entry->pool());
    }
  }
  for (int i = 0; i < pools.length(); i++) {
    if (!wrong.contains(pools.at(i))) {
      clear_errors(pools.at(i));
      table->delete_entry(pools.at(i));
    }
  }
}

void HotTubLinkage::finish_reset() {
  clear_errors();
  if (!_has_unlinked) {
    return;
  }
  _has_unlinked = false;
  _unlinked_at = (int)CompileBroker::get_compilation_id();
  NMethodIterator iterator(NMethodIterator::only_alive);
  while (iterator.next()) {
    nmethod* code = iterator.method();
    for (Metadata** p = code->metadata_begin(); p < code->metadata_end(); p++) {
      if (has_unlinked(*p)) {
        code->mark_for_deoptimization();
        break;
      }
    }
  }
  Deoptimization::deoptimize_all_marked();
}

void HotTubLinkage::forget_conversions() {
  class Forgetter : public ObjectClosure {
    int _offset = -1;

   public:
    Forgetter() {
      fieldDescriptor fd;
      if (vmClasses::MethodHandle_klass()->find_local_field(
              SymbolTable::new_symbol("asTypeCache"),
              SymbolTable::new_symbol("Ljava/lang/invoke/MethodHandle;"), &fd)) {
        _offset = fd.offset();
      }
    }
    void do_object(oop o) {
      if (_offset > 0 && o->is_a(vmClasses::MethodHandle_klass())) {
        o->obj_field_put(_offset, NULL);
      }
    }
  } forgetter;
  Universe::heap()->object_iterate(&forgetter);
}
