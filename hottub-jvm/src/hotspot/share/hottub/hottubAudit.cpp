/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "classfile/classLoaderData.inline.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "code/codeCache.hpp"
#include "compiler/compileBroker.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "hottub/hottubAudit.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "hottub/hottubPaths.hpp"
#include "hottub/hottubServices.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubThreads.hpp"
#include "memory/metaspaceUtils.hpp"
#include "memory/resourceArea.hpp"
#include "memory/universe.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.inline.hpp"
#include "runtime/vframe.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/ostream.hpp"

class VM_HotTubAudit : public VM_Operation {
  HotTubReport* _report;
  const bool _explain;
  stringStream _doubts;
  stringStream _details;

 public:
  VM_HotTubAudit(HotTubReport* report, bool explain) : _report(report), _explain(explain) {}
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    ResourceMark rm;
    int differences = HotTubSnapshot::difference(&_details);
    if (differences > 0) {
      doubt("snapshot differs in %d items", differences);
    }
    int threads = HotTubThreads::application_threads();
    if (threads > 0) {
      doubt("%d threads are left", threads);
    }
    if (HotTubThreads::was_disturbed()) {
      doubt("an exit was requested between runs");
    }
    if (is_code_of_run_running()) {
      doubt("a thread of the JVM runs code of the run");
    }
    const char* service = HotTubServices::beyond_restoring();
    if (service != NULL) {
      doubt("%s", service);
    }
    if (HotTubDefinitions::first() != NULL) {
      doubt("a class was defined at run time: %s", HotTubDefinitions::first());
    }

    _report->loaders = count_loaders();
    _report->leftovers = count_leftovers();
    if (_report->leftovers > 0 && _explain) {
      HotTubPaths::print_on(&_details, HotTubClasses::is_reset);
    }
    size_t length = strlen(_report->text);
    jio_snprintf(_report->text + length, HOTTUB_TEXT_MAX - length, "%s%s", _doubts.as_string(),
                 _details.as_string());
    _report->metaspace_used = MetaspaceUtils::used_bytes();
    _report->code_used = CodeCache::max_capacity() - CodeCache::unallocated_capacity();
    _report->compilations = CompileBroker::get_total_compile_count();
    _report->traps = Deoptimization::total_deoptimization_count();
  }

 private:
  // A finalizer, a reference handler or a listener of the run may occupy a thread of the JVM.
  static bool is_code_of_run_running() {
    for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
      if (thread->has_last_Java_frame()) {
        for (vframeStream frames(thread); !frames.at_end(); frames.next()) {
          if (frames.method()->method_holder()->class_loader() != NULL) {
            return true;
          }
        }
      }
    }
    return false;
  }

  static int count_loaders() {
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
    return loaders.count;
  }

  static int count_leftovers() {
    class Leftovers : public ObjectClosure {
     public:
      int count = 0;
      void do_object(oop o) {
        Klass* k = o->klass();
        if (k->is_instance_klass() && HotTubClasses::is_reset(InstanceKlass::cast(k))) {
          count++;
        }
      }
    } leftovers;
    Universe::heap()->ensure_parsability(false /* retire_tlabs */);
    Universe::heap()->object_iterate(&leftovers);
    return leftovers.count;
  }

  // Why the JVM cannot be used again.
  void doubt(const char* reason, ...) ATTRIBUTE_PRINTF(2, 3) {
    _report->doubt = 1;
    va_list arguments;
    va_start(arguments, reason);
    _doubts.vprint(reason, arguments);
    va_end(arguments);
    _doubts.print("; ");
  }
};

void HotTubAudit::perform(HotTubReport* report, bool explain) {
  jlong start = os::javaTimeNanos();
  VM_HotTubAudit op(report, explain);
  VMThread::execute(&op);
  {
    MutexLocker lock(Heap_lock);
    report->heap_used = Universe::heap()->used();
  }
  report->audit_us += (os::javaTimeNanos() - start) / 1000;
}
