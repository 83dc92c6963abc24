// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "compiler/compileBroker.hpp"
#include "compiler/compileTask.hpp"
#include "compiler/compilerDefinitions.hpp"
#include "hottub/hottubRunCode.hpp"
#include "logging/log.hpp"
#include "oops/instanceKlass.hpp"
#include "runtime/atomic.hpp"
#include "runtime/deoptimization.hpp"
#include "runtime/orderAccess.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/task.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

// A run is long when it has lasted for this time. Then all code of C2 for all runs is thrown away.
// At once: what C2 inlines depends on what it finds compiled, and programs do not get as fast as on
// a stock JVM where it finds code for all runs.
static const jlong long_run_ns = 30 * NANOSECS_PER_SEC;
static const int look_interval_ms = 1000;

static volatile jlong _begun = 0;  // when the run began; 0: there is none
static volatile int _run = 0;      // the run that C2 compiles for; 0: all runs
static int _runs = 0;
static int _after = 0;                   // with a run to compile for: later compilations are for it
static volatile bool _is_alone = false;  // there is no other code of C2 any more

static void compile_for_run() {
  _after = (int)CompileBroker::get_compilation_id();
  Atomic::release_store(&_run, ++_runs);
}

static bool is_by_c2(nmethod* code) {
  return code->comp_level() == CompLevel_full_optimization && !code->is_native_method();
}

class VM_HotTubDropCode : public VM_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    if (_begun == 0) {
      return;  // it has ended meanwhile
    }
    if (_run == 0) {
      compile_for_run();
    }
    int dropped = 0;
    NMethodIterator iterator(NMethodIterator::only_alive);
    while (iterator.next()) {
      nmethod* code = iterator.method();
      if (is_by_c2(code) && code->is_in_use() && code->compile_id() <= _after) {
        code->mark_for_deoptimization(false /* inc_recompile_counts */);
        dropped++;
      }
    }
    Deoptimization::deoptimize_all_marked();
    _is_alone = true;
    log_info(hottub)("a long run: code is compiled for it alone, that of %d methods dropped",
                     dropped);
  }
};

class HotTubLongRuns : public PeriodicTask {
  static bool is_due() {
    const jlong begun = _begun;
    return begun != 0 && !_is_alone && os::javaTimeNanos() - begun >= long_run_ns;
  }

 public:
  HotTubLongRuns() : PeriodicTask(look_interval_ms) {}
  virtual void task() {
    if (is_due()) {
      VM_HotTubDropCode drop;
      VMThread::execute(&drop);
    }
  }
};

void HotTubRunCode::initialize() { (new HotTubLongRuns())->enroll(); }

void HotTubRunCode::begin_run() {
  _is_alone = false;
  _begun = os::javaTimeNanos();
}

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
