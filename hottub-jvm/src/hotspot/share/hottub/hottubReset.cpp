/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "code/codeCache.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/softRefPolicy.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubCompilation.hpp"
#include "hottub/hottubOptions.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubReset.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubThreads.hpp"
#include "memory/metaspaceUtils.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/ostream.hpp"
#include "utilities/resourceHash.hpp"

static long now_us() { return (long)(os::javaTimeNanos() / 1000); }

class VM_HotTubRestore : public VM_Operation {
  HotTubReport* _report;

 public:
  VM_HotTubRestore(HotTubReport* report) : _report(report) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    HotTubClasses::Counts counts;
    HotTubClasses::reset(&counts);
    _report->classes_barrier += counts.barrier;
    _report->classes_trivial = counts.trivial;  // these stay initialized
    _report->snapshot_changes += HotTubSnapshot::restore(NULL);
  }
};

void HotTubReset::restore(HotTubReport* report) {
  long start = now_us();
  InstanceKlass::clear_initialization_errors();
  HotTubOptions::restore();
  VM_HotTubRestore op(report);
  VMThread::execute(&op);
  report->restore_us += now_us() - start;
}

// Instances of classes that are initialized again, and class loaders of the run.
class VM_HotTubAudit : public VM_Operation {
  HotTubReport* _report;
  const bool _walk_heap;
  stringStream _text;

  class Leftovers : public ObjectClosure {
    typedef ResourceHashtable<Klass*, int, primitive_hash<Klass*>, primitive_equals<Klass*>, 1009,
                              ResourceObj::C_HEAP, mtInternal>
        Table;
    Table* _table;

   public:
    int count = 0;
    Leftovers() : _table(new (ResourceObj::C_HEAP, mtInternal) Table()) {}
    ~Leftovers() { delete _table; }

    void do_object(oop o) {
      Klass* k = o->klass();
      if (k->is_instance_klass() && HotTubClasses::has_barrier(InstanceKlass::cast(k))) {
        count++;
        bool created;
        (*_table->put_if_absent(k, 0, &created))++;
      }
    }
    void print_on(outputStream* out) {
      struct Printer {
        outputStream* _out;
        bool do_entry(Klass* k, int n) {
          _out->print("%s x%d; ", k->external_name(), n);
          return true;
        }
      } printer = {out};
      _table->iterate(&printer);
    }
  };

 public:
  VM_HotTubAudit(HotTubReport* report, bool walk_heap) : _report(report), _walk_heap(walk_heap) {}
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    ResourceMark rm;
    class Loaders : public CLDClosure {
     public:
      int count = 0;
      void do_cld(ClassLoaderData* cld) {
        if (!cld->is_builtin_class_loader_data() && !cld->has_class_mirror_holder() &&
            cld->is_alive()) {
          count++;
        }
      }
    } loaders;
    ClassLoaderDataGraph::loaded_cld_do(&loaders);
    _report->loaders = loaders.count;

    int differences = HotTubSnapshot::difference(&_text);
    if (differences > 0) {
      doubt("snapshot differs in %d items: ", differences);
    }
    int threads = HotTubThreads::application_threads();
    if (threads > 0) {
      doubt("%d threads are left; ", threads);
    }
    if (HotTubThreads::was_disturbed()) {
      doubt("an exit was requested between runs; ", 0);
    }
    if (_walk_heap) {
      Leftovers leftovers;
      Universe::heap()->ensure_parsability(false /* retire_tlabs */);
      Universe::heap()->object_iterate(&leftovers);
      _report->leftovers = leftovers.count;
      leftovers.print_on(&_text);
    }
    size_t length = strlen(_report->text);
    jio_snprintf(_report->text + length, HOTTUB_TEXT_MAX - length, "%s", _text.as_string());
    _report->metaspace_used = MetaspaceUtils::used_bytes();
    _report->code_used = CodeCache::max_capacity() - CodeCache::unallocated_capacity();
  }

  void doubt(const char* format, int number) {
    _report->doubt = 1;
    size_t length = strlen(_report->text);
    jio_snprintf(_report->text + length, HOTTUB_TEXT_MAX - length, format, number);
  }
};

// The VM hands out each of its few errors with room for a stack trace once.
HOTTUB_PRIVATE_MEMBER(HotTubOutOfMemoryErrors, OopHandle*,
                      Universe::_preallocated_out_of_memory_error_array)
HOTTUB_PRIVATE_MEMBER(HotTubOutOfMemoryErrorCount, volatile jint*,
                      Universe::_preallocated_out_of_memory_error_avail_count)

static void renew_out_of_memory_errors(TRAPS) {
  objArrayHandle errors(THREAD, objArrayOop(address_of(HotTubOutOfMemoryErrors())->resolve()));
  for (int i = 0; i < errors->length(); i++) {
    if (errors->obj_at(i) == NULL) {
      Handle error = vmClasses::OutOfMemoryError_klass()->allocate_instance_handle(CHECK);
      java_lang_Throwable::allocate_backtrace(error, CHECK);
      errors->obj_at_put(i, error());
    }
  }
  *address_of(HotTubOutOfMemoryErrorCount()) = errors->length();
}

void HotTubReset::collect(HotTubReport* report, TRAPS) {
  long start = now_us();
  Universe::heap()->soft_ref_policy()->set_should_clear_all_soft_refs(true);
  Universe::heap()->collect(GCCause::_java_lang_system_gc);
  Universe::heap()->soft_ref_policy()->set_should_clear_all_soft_refs(false);
  HotTubCompilation::age_counters();
  renew_out_of_memory_errors(CHECK);
  report->collect_us += now_us() - start;
}

void HotTubReset::audit(HotTubReport* report, bool walk_heap) {
  long start = now_us();
  VM_HotTubAudit op(report, walk_heap);
  VMThread::execute(&op);
  {
    MutexLocker lock(Heap_lock);
    report->heap_used = Universe::heap()->used();
  }
  report->audit_us += now_us() - start;
}
