// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/vmClasses.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gcVMOperations.hpp"
#include "hottub/hottubAttach.hpp"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubCompilation.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "hottub/hottubHeapSizes.hpp"
#include "hottub/hottubMemory.hpp"
#include "hottub/hottubOptions.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubProcess.hpp"
#include "hottub/hottubReset.hpp"
#include "hottub/hottubRunCode.hpp"
#include "hottub/hottubServices.hpp"
#include "hottub/hottubSignals.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubStopwatch.hpp"
#include "hottub/hottubThreads.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "oops/objArrayOop.inline.hpp"
#include "oops/oop.inline.hpp"
#include "oops/oopHandle.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

class VM_HotTubRestore : public VM_Operation {
  HotTubReport* _report;

 public:
  VM_HotTubRestore(HotTubReport* report) : _report(report) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    HotTubStopwatch watch;
    HotTubRunCode::discard();
    HotTubDefinitions::withdraw();
    HotTubClasses::Counts counts;
    HotTubClasses::reset(&counts);
    HotTubThreads::forget_thread_locals();
    HotTubThreads::forget_permits();
    HotTubThreads::forget_ended();
    _report->classes_barrier += counts.barrier;
    _report->classes_trivial = counts.trivial;  // these stay initialized
    log_info(hottub, reset)("classes reset: %d to be initialized again, %d cleared, in %ld us",
                            counts.barrier, counts.trivial, watch.lap());
    const int changes = HotTubSnapshot::restore(NULL);
    _report->snapshot_changes += changes;
    log_info(hottub, reset)("snapshot restored: %d items, in %ld us", changes, watch.us());
  }
};

void HotTubReset::restore(HotTubReport* report) {
  HotTubStopwatch watch;
  HotTubSignals::drop();  // also of an entry that has failed
  HotTubAttach::end(JavaThread::current());
  InstanceKlass::clear_initialization_errors();
  HotTubProcess::set(0);
  HotTubOptions::restore();
  HotTubServices::restore();
  HotTubDefinitions::forget_packages(JavaThread::current());
  VM_HotTubRestore op(report);
  VMThread::execute(&op);
  report->restore_us += watch.us();
}

// The VM hands out each of its few errors with room for a stack trace once.
HOTTUB_PRIVATE_MEMBER(HotTubOutOfMemoryErrors, OopHandle*,
                      Universe::_preallocated_out_of_memory_error_array)
HOTTUB_PRIVATE_MEMBER(HotTubOutOfMemoryErrorCount, volatile jint*,
                      Universe::_preallocated_out_of_memory_error_avail_count)

// HotSpot does what its options about OutOfMemoryError say once (debug.cpp), and numbers its heap
// dumps (heapDumper.cpp).
extern int out_of_memory_reported;
extern uint dump_file_seq;

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
  out_of_memory_reported = 0;
  dump_file_seq = 0;
}

// Not CollectedHeap::collect: options of users turn that into a concurrent cycle.
class VM_HotTubCollect : public VM_GC_Sync_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() {
    SvcGCMarker marker(SvcGCMarker::FULL);
    CollectedHeap* heap = Universe::heap();
    GCCauseSetter cause(heap, GCCause::_java_lang_system_gc);
    HotTubStopwatch watch;
    heap->do_full_collection(true /* clear_all_soft_refs: leaves no dead wood */);
    log_info(hottub, reset)("heap collected in %ld us", watch.lap());
    HotTubMemory::release_heap();
    HotTubHeapSizes::restore();
    log_info(hottub, reset)("free heap given back in %ld us", watch.us());
  }
  void doit_epilogue() {
    if (Universe::has_reference_pending_list()) {
      Heap_lock->notify_all();
    }
    VM_GC_Sync_Operation::doit_epilogue();
  }
};

void HotTubReset::collect(HotTubReport* report, TRAPS) {
  HotTubStopwatch watch;
  HotTubCompilation::drop_queued_of_run(THREAD);
  VM_HotTubCollect op;
  VMThread::execute(&op);
  HotTubCompilation::age_counters();
  renew_out_of_memory_errors(CHECK);
  report->collect_us += watch.us();
}
