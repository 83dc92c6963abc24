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
#include "runtime/orderAccess.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/task.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"

// A run is long when it has lasted for long_run_ns, and for as_long_as_ns for each method for which
// C2 has compiled code for all runs. Then all of that code is thrown away. At once: what C2 inlines
// depends on what it finds compiled, and programs do not get as fast as on a stock JVM where it
// finds code for all runs. Until such a method is compiled again, the run loses some 3 ms by it, so
// no run has lost more than a few percent when it ends: docs/jvm.md has the figures.
static const jlong long_run_ns = 30 * NANOSECS_PER_SEC;
static const jlong as_long_as_ns = 100 * NANOSECS_PER_MILLISEC;
static const int look_interval_ms = 1000;

static volatile jlong _begun;    // when the run began
static volatile jlong _due = 0;  // when to look whether the run is long; 0: not at all
static volatile int _run = 0;    // the run that C2 compiles for; 0: all runs
static int _runs = 0;
static int _after = 0;  // with a run to compile for: later compilations are for it

static void compile_for_run() {
  _after = (int)CompileBroker::get_compilation_id();
  Atomic::release_store(&_run, ++_runs);
}

static bool is_for_all_runs(nmethod* code) { return _run == 0 || code->compile_id() <= _after; }

// What C2 has compiled for all runs, or else for this one.
static void find_code(bool is_for_all, GrowableArray<nmethod*>* found) {
  NMethodIterator iterator(NMethodIterator::only_alive);
  while (iterator.next()) {
    nmethod* code = iterator.method();
    if (code->comp_level() == CompLevel_full_optimization && !code->is_native_method() &&
        is_for_all_runs(code) == is_for_all) {
      found->append(code);
    }
  }
}

static void throw_away(const GrowableArray<nmethod*>& all) {
  for (int i = 0; i < all.length(); i++) {
    all.at(i)->mark_for_deoptimization(false /* inc_recompile_counts */);
  }
  Deoptimization::deoptimize_all_marked();
}

class VM_HotTubDropCode : public VM_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    if (_due == 0) {
      return;  // it has ended meanwhile
    }
    ResourceMark rm;
    GrowableArray<nmethod*> for_all;
    find_code(true, &for_all);
    const jlong due = _begun + MAX2(long_run_ns, for_all.length() * as_long_as_ns);
    if (due > os::javaTimeNanos()) {
      _due = due;  // there may be more code then
      return;
    }
    _due = 0;
    if (_run == 0) {
      compile_for_run();
    }
    throw_away(for_all);
    log_info(hottub)("a long run: code is compiled for it alone, that of %d methods dropped",
                     for_all.length());
  }
};

class HotTubLongRuns : public PeriodicTask {
 public:
  HotTubLongRuns() : PeriodicTask(look_interval_ms) {}
  virtual void task() {
    const jlong due = _due;
    if (due != 0 && os::javaTimeNanos() >= due) {
      VM_HotTubDropCode drop;
      VMThread::execute(&drop);
    }
  }
};

void HotTubRunCode::initialize() { (new HotTubLongRuns())->enroll(); }

void HotTubRunCode::begin_run() {
  _begun = os::javaTimeNanos();
  _due = _begun + long_run_ns;
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
  _due = 0;
  if (_run == 0) {
    return;
  }
  ResourceMark rm;
  GrowableArray<nmethod*> of_run;
  find_code(false, &of_run);
  _run = 0;
  throw_away(of_run);
  log_info(hottub, reset)("code of the run discarded: %d methods", of_run.length());
}
