// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/stringTable.hpp"
#include "classfile/vmClasses.hpp"
#include "code/codeCache.hpp"
#include "hottub/hottubClassLists.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubConstants.hpp"
#include "hottub/hottubHidden.hpp"
#include "hottub/hottubLinkage.hpp"
#include "hottub/hottubMirrors.hpp"
#include "oops/constantPool.inline.hpp"
#include "oops/instanceKlass.inline.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/fieldDescriptor.inline.hpp"
#include "runtime/orderAccess.hpp"
#include "runtime/thread.hpp"
#include "runtime/threadSMR.inline.hpp"

bool HotTubClasses::_base_is_closed = false;
InstanceKlass* HotTubClasses::_unfinished = NULL;

static bool is_property_copy(const InstanceKlass* k) {
  return HotTubClassLists::list_of(k) == HotTubClassLists::copies;
}

bool HotTubClasses::is_kept(const InstanceKlass* k) {
  const HotTubClassLists::List list = HotTubClassLists::list_of(k);
  return list == HotTubClassLists::kept || list == HotTubClassLists::given;
}

bool HotTubClasses::is_never_reset(const InstanceKlass* k) {
  return is_kept(k) || HotTubClassLists::list_of(k) == HotTubClassLists::never_reset;
}

u1 HotTubClasses::base_flags(const InstanceKlass* k) {
  return HotTubClassLists::list_of(k) == HotTubClassLists::given ? (base | given) : base;
}

// Decided from the structure alone, before any superclass has been initialized.
bool HotTubClasses::needs_barrier(const InstanceKlass* k) {
  if (is_base(k)) {
    return false;
  }
  if (k->class_initializer() != NULL) {
    return true;
  }
  if (k->java_super() != NULL && needs_barrier(k->java_super())) {
    return true;
  }
  if (!k->is_interface() && k->has_nonstatic_concrete_methods()) {
    Array<InstanceKlass*>* all = k->transitive_interfaces();
    for (int i = 0; i < all->length(); i++) {
      InstanceKlass* interface = all->at(i);
      if (interface->declares_nonstatic_concrete_methods() && !is_base(interface) &&
          interface->class_initializer() != NULL) {
        return true;
      }
    }
  }
  return false;
}

// Of a hidden class: most have nothing that a reset could take back.
bool HotTubClasses::has_own_state(InstanceKlass* k) {
  return k->class_loader_data()->is_permanent_class_loader_data() &&
         (k->static_field_size() > 0 || needs_barrier(k));
}

void HotTubClasses::before_state_change(InstanceKlass* k, InstanceKlass::ClassState state) {
  if (!_base_is_closed || (k->_hottub_flags & ~former) != 0) {
    return;
  }
  if (state < InstanceKlass::being_initialized) {
    if (state == InstanceKlass::loaded && k->is_hidden()) {
      HotTubHidden::note_defined(k);
    }
    return;
  }
  u1 flags;
  if (k->is_hidden() && !has_own_state(k)) {
    flags = base;  // linked into call sites that stay, or dies with its loader
  } else if (!k->class_loader_data()->is_builtin_class_loader_data()) {
    return;  // is unloaded by the reset
  } else if (is_never_reset(k)) {
    flags = base_flags(k);
  } else {
    flags = needs_barrier(k) ? (ever | barrier) : ever;
    keep_texts(k);
  }
  if (HotTubLinkage::has_state(k)) {
    flags |= linkage;
  }
  k->_hottub_flags |= flags;
  OrderAccess::storestore();
}

static int text_index(fieldDescriptor* fd) {
  return fd->constants()->cp_to_object_index(fd->initial_value_index());
}

// The texts of ConstantValues are there as long as the class: a reset cannot make them, and when a
// run puts others into the fields, a collection may free these.
void HotTubClasses::keep_texts(InstanceKlass* k) {
  class Keeper : public FieldClosure {
    void do_field(fieldDescriptor* fd) {
      if (fd->has_initial_value() && fd->field_type() == T_OBJECT) {
        Symbol* text = fd->constants()->unresolved_string_at(fd->initial_value_index());
        fd->constants()->resolved_references()->obj_at_put(text_index(fd),
                                                           StringTable::lookup(text));
      }
    }
  } keeper;
  k->do_local_static_fields(&keeper);
}

InstanceKlass::ClassState HotTubClasses::compiler_state(InstanceKlass* k, bool* has_barrier) {
  InstanceKlass::ClassState state = k->init_state();
  OrderAccess::loadload();
  u1 flags = k->hottub_flags();
  *has_barrier = (flags & barrier) != 0;
  return (flags & ever) != 0 ? InstanceKlass::fully_initialized : state;
}

void HotTubClasses::note_constants(InstanceKlass* k) { k->_hottub_flags |= constants; }

void HotTubClasses::note_linkage(InstanceKlass* k) { k->_hottub_flags |= linkage; }

void HotTubClasses::note_unlinked(InstanceKlass* k) { k->_hottub_flags |= unlinked; }

void HotTubClasses::note_met(InstanceKlass* k) {
  // Not to undo what another thread sets meanwhile.
  for (u1 flags = k->_hottub_flags; (flags & former) != 0; flags = k->_hottub_flags) {
    Atomic::cmpxchg(&k->_hottub_flags, flags, (u1)(flags & ~former));
  }
}

bool HotTubClasses::has_statics_of_run(InstanceKlass* k) {
  class Finder : public FieldClosure {
    oop _mirror;

    bool is_zero(fieldDescriptor* fd) const {
      return is_reference_type(fd->field_type())
                 ? _mirror->obj_field(fd->offset()) == NULL
                 : HotTubConstants::primitive_value(_mirror, fd->offset(), fd->field_type()) == 0;
    }

   public:
    bool found = false;
    Finder(oop mirror) : _mirror(mirror) {}

    // One with a ConstantValue is as it was or not: that is not worth a look.
    void do_field(fieldDescriptor* fd) {
      found = found || (!fd->has_initial_value() && !is_zero(fd));
    }
  } finder(k->java_mirror());
  if (is_reset(k) && !has_barrier(k)) {
    k->do_local_static_fields(&finder);
  }
  return finder.found;
}

void HotTubClasses::expel(InstanceKlass* k) {
  k->_hottub_flags = 0;
  k->_init_thread = NULL;
  k->_init_state = InstanceKlass::initialization_error;
}

void HotTubClasses::forget_nest_host(InstanceKlass* k, const GrowableArray<InstanceKlass*>& hosts) {
  // A hidden class has its host from the beginning, and is none but its host's.
  if (!k->is_hidden() && k->_nest_host != NULL && hosts.contains(k->_nest_host)) {
    k->_nest_host = NULL;
  }
}

void HotTubClasses::pass_barrier(Method* m, TRAPS) {
  InstanceKlass* holder = m->method_holder();
  if (m->is_static() && has_barrier(holder) && !holder->is_initialized()) {
    holder->initialize(CHECK);
  }
}

void HotTubClasses::close_base() {
  assert(SafepointSynchronize::is_at_safepoint(), "flags change");
  class Closer : public KlassClosure {
    void do_klass(Klass* k) {
      if (!k->is_instance_klass() || !InstanceKlass::cast(k)->is_initialized()) {
        return;
      }
      if (is_property_copy(InstanceKlass::cast(k))) {
        Counts counts = {0, 0};
        InstanceKlass::cast(k)->_hottub_flags = ever | barrier;
        reset_class(InstanceKlass::cast(k), &counts);  // the first run has its own, too
      } else {
        InstanceKlass::cast(k)->_hottub_flags = base_flags(InstanceKlass::cast(k));
      }
    }
  } closer;
  ClassLoaderDataGraph::classes_do(&closer);
  // What was compiled before knows nothing of barriers.
  CodeCache::mark_all_nmethods_for_deoptimization();
  Deoptimization::deoptimize_all_marked();
  _base_is_closed = true;
}

// A final field with a ConstantValue has never changed; another one gets it again.
void HotTubClasses::clear_statics(InstanceKlass* k) {
  class Clearer : public FieldClosure {
    oop _mirror;

    void clear_reference(fieldDescriptor* fd) {
      oop value = NULL;
      if (fd->has_initial_value()) {
        value = fd->constants()->resolved_references()->obj_at(text_index(fd));
      }
      _mirror->obj_field_put(fd->offset(), value);
    }

   public:
    Clearer(oop mirror) : _mirror(mirror) {}

    void do_field(fieldDescriptor* fd) {
      if (fd->access_flags().is_final() && fd->has_initial_value()) {
        return;
      }
      const bool constant = fd->has_initial_value();
      const int offset = fd->offset();
      switch (fd->field_type()) {
        case T_BOOLEAN:
          _mirror->bool_field_put(offset, constant && fd->int_initial_value() != 0);
          break;
        case T_BYTE:
          _mirror->byte_field_put(offset, constant ? fd->int_initial_value() : 0);
          break;
        case T_CHAR:
          _mirror->char_field_put(offset, constant ? fd->int_initial_value() : 0);
          break;
        case T_SHORT:
          _mirror->short_field_put(offset, constant ? fd->int_initial_value() : 0);
          break;
        case T_INT:
          _mirror->int_field_put(offset, constant ? fd->int_initial_value() : 0);
          break;
        case T_LONG:
          _mirror->long_field_put(offset, constant ? fd->long_initial_value() : 0);
          break;
        case T_FLOAT:
          _mirror->float_field_put(offset, constant ? fd->float_initial_value() : 0);
          break;
        case T_DOUBLE:
          _mirror->double_field_put(offset, constant ? fd->double_initial_value() : 0);
          break;
        case T_OBJECT:
        case T_ARRAY:
          clear_reference(fd);
          break;
        default:
          ShouldNotReachHere();
      }
    }
  } clearer(k->java_mirror());
  k->do_local_static_fields(&clearer);
}

// Otherwise a run would find there what a class has left that it has not initialised.
void HotTubClasses::clear_given(InstanceKlass* k) {
  class Clearer : public FieldClosure {
    oop _mirror;

   public:
    Clearer(oop mirror) : _mirror(mirror) {}

    void do_field(fieldDescriptor* fd) {
      if (fd->field_type() != T_OBJECT || fd->access_flags().is_final()) {
        return;
      }
      oop value = _mirror->obj_field(fd->offset());
      if (value == NULL) {
        return;
      }
      InstanceKlass* giver = InstanceKlass::cast(value->klass());
      if (giver->is_hidden()) {  // a lambda
        giver = nest_host_of(giver);
      }
      if (is_reset(giver)) {
        _mirror->obj_field_put(fd->offset(), NULL);
      }
    }
  } clearer(k->java_mirror());
  k->do_local_static_fields(&clearer);
}

// One whose initialiser has failed in a run, or whose thread was ended in it.
bool HotTubClasses::is_unfinished(InstanceKlass* k) {
  return k->_init_state == InstanceKlass::initialization_error ||
         (k->_init_state == InstanceKlass::being_initialized &&
          !ThreadsSMRSupport::get_java_thread_list()->includes((JavaThread*)k->_init_thread));
}

// It gets another chance.
void HotTubClasses::renew_base(InstanceKlass* k) {
  if (is_unfinished(k)) {
    k->_init_thread = NULL;
    k->_init_state = InstanceKlass::linked;
  }
}

void HotTubClasses::reset_class(InstanceKlass* k, Counts* counts) {
  if (is_base(k)) {
    renew_base(k);
    if ((k->_hottub_flags & given) != 0) {
      clear_given(k);
    }
  }
  if ((k->_hottub_flags & ever) == 0 || k->_init_state < InstanceKlass::being_initialized) {
    return;
  }
  clear_statics(k);
  if (has_barrier(k)) {
    counts->barrier++;
    k->_init_thread = NULL;  // of a thread that died in <clinit>
    k->_init_state = InstanceKlass::linked;
  } else {
    counts->trivial++;
    // It has no initialiser that could fail, but its thread was ended just then. Compiled code
    // takes it for initialized.
    if (is_unfinished(k)) {
      _unfinished = k;
    }
  }
}

void HotTubClasses::reset(Counts* counts) {
  assert(SafepointSynchronize::is_at_safepoint(), "states change");
  counts->barrier = counts->trivial = 0;
  class Resetter : public KlassClosure {
    Counts* _counts;

   public:
    Resetter(Counts* counts) : _counts(counts) {}
    void do_klass(Klass* k) {
      HotTubMirrors::clear_caches(k);
      if (k->is_instance_klass()) {
        reset_class(InstanceKlass::cast(k), _counts);
        InstanceKlass::cast(k)->_hottub_flags |= former;
        HotTubHidden::forget_data(InstanceKlass::cast(k));
        if (has_linkage(InstanceKlass::cast(k))) {
          HotTubLinkage::reset_class(InstanceKlass::cast(k));
        }
      }
    }
  } resetter(counts);
  ClassLoaderDataGraph::classes_do(&resetter);
  HotTubMirrors::clear_primitive_caches();
  HotTubLinkage::finish_reset();
}
