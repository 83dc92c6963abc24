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
#include "runtime/registerMap.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/task.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"
#include "utilities/growableArray.hpp"

// A run is long when it has lasted for long_run_ns. From then on C2 compiles for it alone, and code
// for all runs is thrown away, so that it is compiled again; until then the run loses some 3 ms by
// each method. First what threads are seen in, with the callers below, as C2 may inline it there;
// then, once, all code of C2: how that inlines depends on what it finds compiled, and programs do
// not get as fast as on a stock JVM before it has started anew. For each method of either the run
// has to have lasted for a_method_ns, so none has lost more than a few percent when it ends:
// docs/jvm.md has the figures.
static const jlong long_run_ns = 30 * NANOSECS_PER_SEC;
static const jlong a_method_ns = 100 * NANOSECS_PER_MILLISEC;
static const int look_interval_ms = 100;
static const int callers = 8;

static jlong _begun;             // when the run began
static volatile jlong _due = 0;  // when to look what the run uses; 0: not at all
static jlong _all_due;           // when to throw all code away
static int _dropped = 0;         // methods whose code was thrown away for this run
static volatile int _run = 0;    // the run that C2 compiles for; 0: all runs
static int _runs = 0;
static int _after = 0;  // with a run to compile for: later compilations are for it

static void compile_for_run() {
  _after = (int)CompileBroker::get_compilation_id();
  Atomic::release_store(&_run, ++_runs);
}

static bool is_of_c2(nmethod* code) {
  return code->comp_level() == CompLevel_full_optimization && !code->is_native_method();
}

static bool is_for_run(nmethod* code) {
  return _run != 0 && is_of_c2(code) && code->compile_id() > _after;
}

static bool is_for_all_runs(nmethod* code) { return is_of_c2(code) && !is_for_run(code); }

static void find_code(bool is_wanted(nmethod*), GrowableArray<nmethod*>* found) {
  NMethodIterator iterator(NMethodIterator::only_alive);
  while (iterator.next()) {
    if (is_wanted(iterator.method())) {
      found->append(iterator.method());
    }
  }
}

static void throw_away(const GrowableArray<nmethod*>& all) {
  if (all.is_empty()) {
    return;  // the rest would look at every frame all the same
  }
  for (int i = 0; i < all.length(); i++) {
    all.at(i)->mark_for_deoptimization(false /* inc_recompile_counts */);
  }
  Deoptimization::deoptimize_all_marked();
}

// Code for all runs that threads are in which run Java.
class HotTubUsedCode : public StackObj {
 public:
  HotTubUsedCode(int most, GrowableArray<nmethod*>* found) : _most(most), _found(found) {}

  void find() {
    for (JavaThreadIteratorWithHandle threads; JavaThread* thread = threads.next();) {
      if (thread->has_last_Java_frame()) {
        look_at(thread);
      }
    }
  }

 private:
  // A thread that waits is in native code or in the VM; one that runs compiled code has stopped at
  // a poll. Where that was of a return, the frame is gone already.
  void look_at(JavaThread* thread) {
    frame fr = thread->last_frame();
    if (fr.cb() == NULL || !fr.cb()->is_safepoint_stub()) {
      return;
    }
    add(CodeCache::find_blob(thread->saved_exception_pc()));
    RegisterMap map(thread, false /* update */, false /* process_frames */);
    for (int i = 0; i < callers && !fr.is_first_frame(); i++) {
      fr = fr.sender(&map);
      add(fr.cb());
    }
  }

  void add(CodeBlob* blob) {
    nmethod* code = blob == NULL ? NULL : blob->as_nmethod_or_null();
    if (code != NULL && code->is_in_use() && is_for_all_runs(code) && _found->length() < _most) {
      _found->append_if_missing(code);
    }
  }

  const int _most;
  GrowableArray<nmethod*>* const _found;
};

class VM_HotTubUseRunCode : public VM_Operation {
 public:
  VMOp_Type type() const { return VMOp_HotTub; }

  void doit() {
    if (_due == 0) {
      return;  // it has ended meanwhile
    }
    const jlong now = os::javaTimeNanos();
    ResourceMark rm;
    GrowableArray<nmethod*> found;
    if (is_time_for_all(now, &found)) {
      _due = 0;
      log_info(hottub)("a long run: code of all its %d methods dropped", found.length());
    } else {
      HotTubUsedCode used((int)((now - _begun) / a_method_ns) - _dropped, &found);
      used.find();
      if (_dropped == 0 && found.length() > 0) {
        log_info(hottub)("a long run: code is dropped where it is used");
      }
      _due = now + look_interval_ms * NANOSECS_PER_MILLISEC;
    }
    _dropped += found.length();
    if (_run == 0) {
      compile_for_run();
    }
    throw_away(found);
  }

 private:
  // Sets found to all code if so.
  static bool is_time_for_all(jlong now, GrowableArray<nmethod*>* found) {
    if (now < _all_due) {
      return false;
    }
    find_code(is_of_c2, found);
    _all_due = _begun + MAX2(long_run_ns, found->length() * a_method_ns);
    if (now >= _all_due) {
      return true;
    }
    found->clear();  // there may be more code then
    return false;
  }
};

class HotTubLongRuns : public PeriodicTask {
 public:
  HotTubLongRuns() : PeriodicTask(look_interval_ms) {}

  virtual void task() {
    const jlong due = _due;
    if (due != 0 && os::javaTimeNanos() >= due && !shows_safepoints()) {
      VM_HotTubUseRunCode use;
      VMThread::execute(&use);
    }
  }

 private:
  // In the log that the run has asked for a stock JVM has none of these.
  static bool shows_safepoints() { return log_is_enabled(Info, safepoint); }
};

void HotTubRunCode::initialize() { (new HotTubLongRuns())->enroll(); }

void HotTubRunCode::begin_run() {
  _begun = os::javaTimeNanos();
  _dropped = 0;
  _all_due = _due = _begun + long_run_ns;
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
  find_code(is_for_run, &of_run);
  _run = 0;
  throw_away(of_run);
  log_info(hottub, reset)("code of the run discarded: %d methods, for it before that: %d",
                          of_run.length(), _dropped);
}
