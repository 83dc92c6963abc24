// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "compiler/compileBroker.hpp"
#include "compiler/compileTask.hpp"
#include "compiler/compilerDefinitions.hpp"
#include "hottub/hottubRunCode.hpp"
#include "logging/log.hpp"
#include "memory/resourceArea.hpp"
#include "oops/instanceKlass.hpp"
#include "runtime/atomic.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/frame.inline.hpp"
#include "runtime/orderAccess.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/task.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

// A run is long when it has lasted for this time. Then its threads are looked at, to find the code
// for all runs that is in use: for 10 s in every interval, later once in a second.
static const jlong long_run_ns = 20 * NANOSECS_PER_SEC;
static const int look_interval_ms = 50;
static const int looks_in_a_row = 200;
static const int later_looks = 20;

static volatile jlong _begun = 0;  // when the run began; 0: there is none
static volatile int _run = 0;      // the run that C2 compiles for; 0: all runs
static int _runs = 0;
static int _after = 0;  // with a run to compile for: later compilations are for it
static int _looks = 0;  // of this run

static void compile_for_run() {
  _after = (int)CompileBroker::get_compilation_id();
  Atomic::release_store(&_run, ++_runs);
}

static bool is_by_c2(nmethod* code) {
  return code->comp_level() == CompLevel_full_optimization && !code->is_native_method();
}

// The code that a stopped thread is in.
static nmethod* code_on_top(JavaThread* thread) {
  if (!thread->has_last_Java_frame()) {
    return NULL;
  }
  RegisterMap map(thread, false /* update_map */, false /* process_frames */);
  frame top = thread->last_frame();
  if (top.is_runtime_frame() || top.is_safepoint_blob_frame()) {
    top = top.sender(&map);
  }
  return top.is_compiled_frame() ? top.cb()->as_nmethod_or_null() : NULL;
}

class VM_HotTubLook : public VM_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    if (_begun == 0) {
      return;  // it has ended meanwhile
    }
    if (_run == 0) {
      log_info(hottub)("a long run: code is compiled for it alone");
      compile_for_run();
    }
    ResourceMark rm;
    int found = 0;
    for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
      nmethod* code = code_on_top(thread);
      if (code != NULL && is_by_c2(code) && code->is_in_use() && code->compile_id() <= _after) {
        code->mark_for_deoptimization(false /* inc_recompile_counts */);
        found++;
      }
    }
    if (found > 0) {
      Deoptimization::deoptimize_all_marked();
    }
  }
};

class HotTubLooker : public PeriodicTask {
  static bool is_due() {
    const jlong begun = _begun;
    if (begun == 0 || os::javaTimeNanos() - begun < long_run_ns) {
      _looks = 0;
      return false;
    }
    _looks++;
    return _looks <= looks_in_a_row || _looks % later_looks == 0;
  }

 public:
  HotTubLooker() : PeriodicTask(look_interval_ms) {}
  virtual void task() {
    if (is_due()) {
      VM_HotTubLook look;
      VMThread::execute(&look);
    }
  }
};

void HotTubRunCode::initialize() { (new HotTubLooker())->enroll(); }

void HotTubRunCode::begin_run() { _begun = os::javaTimeNanos(); }

void HotTubRunCode::begin_clone() { compile_for_run(); }

int HotTubRunCode::run_of(CompileTask* task) {
  const int run = Atomic::load_acquire(&_run);
  return run != 0 && task->comp_level() == CompLevel_full_optimization &&
                 task->compile_id() > _after
             ? run
             : 0;
}

bool HotTubRunCode::is_settled(int run, const InstanceKlass* k) {
  return run != 0 && run == _run && k->is_initialized();
}

bool HotTubRunCode::is_stale(int run) { return run != 0 && run != _run; }

void HotTubRunCode::discard() {
  assert(SafepointSynchronize::is_at_safepoint(), "code of the run may be running");
  _begun = 0;
  if (_run == 0) {
    return;
  }
  _run = 0;
  int discarded = 0;
  NMethodIterator iterator(NMethodIterator::only_alive);
  while (iterator.next()) {
    nmethod* code = iterator.method();
    if (is_by_c2(code) && code->compile_id() > _after) {
      code->mark_for_deoptimization(false /* inc_recompile_counts */);
      discarded++;
    }
  }
  Deoptimization::deoptimize_all_marked();
  log_info(hottub, reset)("code of the run discarded: %d methods", discarded);
}
