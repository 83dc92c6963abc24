// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/classLoaderData.hpp"
#include "classfile/classLoaderDataGraph.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "compiler/compileBroker.hpp"
#include "compiler/compileTask.hpp"
#include "compiler/compilerThread.hpp"
#include "hottub/hottubCompilation.hpp"
#include "hottub/hottubPrivate.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/method.inline.hpp"
#include "oops/methodCounters.hpp"
#include "oops/methodData.hpp"
#include "runtime/globals.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.inline.hpp"

// Well below Tier4InvocationThreshold (5,000) and Tier4CompileThreshold (15,000).
static const int profile_invocations = 2000;
static const int profile_events = 10000;

bool HotTubCompilation::is_lukewarm(int invocations, int backedges) {
  return UseHotTub && invocations < profile_invocations &&
         (int64_t)invocations + backedges < profile_events;
}

static void age(nmethod* code) {
  Method* method = code->method();
  if (code->comp_level() == CompLevel_limited_profile) {
    MethodCounters* counters = method->method_counters();
    if (counters != NULL) {
      counters->invocation_counter()->decay();
      counters->backedge_counter()->decay();
    }
  } else if (code->comp_level() == CompLevel_full_profile) {
    MethodData* data = method->method_data();
    if (data != NULL) {
      data->invocation_counter()->decay();
      data->backedge_counter()->decay();
      if (data->invocation_count_delta() < 0 || data->backedge_count_delta() < 0) {
        data->reset_start_counters();
      }
    }
  }
}

void HotTubCompilation::age_counters() {
  MutexLocker ml(CodeCache_lock, Mutex::_no_safepoint_check_flag);
  NMethodIterator iterator(NMethodIterator::only_alive);
  while (iterator.next()) {
    nmethod* code = iterator.method();
    if (code->is_in_use() && code->method() != NULL) {
      age(code);
    }
  }
}

bool HotTubCompilation::is_cache_short() {
  for (int i = 0; i < CodeCache::heaps()->length(); i++) {
    CodeHeap* heap = CodeCache::heaps()->at(i);
    // What is no method's code hardly grows, and may have most of its heap from the start.
    const bool is_filled_by_runs = heap->accepts(CodeBlobType::MethodProfiled) ||
                                   heap->accepts(CodeBlobType::MethodNonProfiled);
    if (heap->full_count() > 0 ||
        (is_filled_by_runs && heap->unallocated_capacity() < heap->max_capacity() / 2)) {
      return true;
    }
  }
  return false;
}

static void forget(Method* method) {
  MethodCounters* counters = method->method_counters();
  if (counters != NULL) {
    counters->invocation_counter()->reset();
    counters->backedge_counter()->reset();
  }
  MethodData* data = method->method_data();
  if (data != NULL) {
    data->invocation_counter()->reset();
    data->backedge_counter()->reset();
    data->reset_start_counters();
  }
}

void HotTubCompilation::forget_counts() {
  class Forget : public KlassClosure {
    void do_klass(Klass* klass) override {
      if (!klass->is_instance_klass()) {
        return;
      }
      InstanceKlass* holder = InstanceKlass::cast(klass);
      if (!holder->is_loaded()) {
        return;
      }
      Array<Method*>* methods = holder->methods();
      for (int i = 0; i < methods->length(); i++) {
        forget(methods->at(i));
      }
    }
  } closure;
  MutexLocker ml(ClassLoaderDataGraph_lock);
  ClassLoaderDataGraph::classes_do(&closure);
}

HOTTUB_PRIVATE_MEMBER(HotTubCompileQueue1, CompileQueue**, CompileBroker::_c1_compile_queue)
HOTTUB_PRIVATE_MEMBER(HotTubCompileQueue2, CompileQueue**, CompileBroker::_c2_compile_queue)

static bool is_of_run(CompileTask* task) {
  if (task->is_unloaded()) {
    return false;  // the compiler drops it
  }
  ClassLoaderData* loader = task->method()->method_holder()->class_loader_data();
  return !loader->is_builtin_class_loader_data() && !loader->has_class_mirror_holder();
}

static void drop_queued_of_run(CompileQueue* queue) {
  CompileTask* next;
  for (CompileTask* task = queue == NULL ? NULL : queue->first(); task != NULL; task = next) {
    next = task->next();
    if (is_of_run(task)) {
      queue->remove_and_mark_stale(task);
    }
  }
}

void HotTubCompilation::drop_queued_of_run(JavaThread* thread) {
  MutexLocker ml(thread, MethodCompileQueue_lock);
  ::drop_queued_of_run(*address_of(HotTubCompileQueue1()));
  ::drop_queued_of_run(*address_of(HotTubCompileQueue2()));
}

template <typename CLOSURE>
static void for_running(CLOSURE visit) {
  for (JavaThreadIteratorWithHandle i; JavaThread* thread = i.next();) {
    // A task is never freed: one that has just ended has this number or, used again, another one.
    CompileTask* task = thread->is_Compiler_thread() ? CompilerThread::cast(thread)->task() : NULL;
    if (task != NULL) {
      visit(task->compile_id());
    }
  }
}

void HotTubCompilation::Running::take() {
  _count = 0;
  for_running([this](int id) {
    if (_count < max) {
      _ids[_count++] = id;
    }
  });
}

bool HotTubCompilation::Running::includes(int id) const {
  for (int i = 0; i < _count; i++) {
    if (_ids[i] == id) {
      return true;
    }
  }
  return false;
}

bool HotTubCompilation::Running::await_end(JavaThread* thread, jlong deadline) const {
  bool is_running = _count > 0;
  while (is_running && os::javaTimeNanos() < deadline) {
    {
      ThreadBlockInVM blocked(thread);
      os::naked_short_sleep(1);
    }
    is_running = false;
    for_running([&](int id) { is_running = is_running || includes(id); });
  }
  return !is_running && os::javaTimeNanos() < deadline;
}

void HotTubCompilation::Pause::hold() {
  _is_own = CompileBroker::set_should_compile_new_jobs(CompileBroker::stop_compilation) || _is_own;
}

HotTubCompilation::Pause::~Pause() {
  if (_is_own) {
    CompileBroker::set_should_compile_new_jobs(CompileBroker::run_compilation);
  }
}
