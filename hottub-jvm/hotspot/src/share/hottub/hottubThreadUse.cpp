// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubThreadUse.hpp"
#include "jmm.h"
#include "runtime/atomic.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/os.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/threadSMR.hpp"
#include "services/management.hpp"
#include "services/threadService.hpp"
#include "utilities/growableArray.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubBlocked, jlong ThreadStatistics::*,
                      ThreadStatistics::_contended_enter_count)
HOTTUB_PRIVATE_MEMBER(HotTubWaited, jlong ThreadStatistics::*,
                      ThreadStatistics::_monitor_wait_count)
HOTTUB_PRIVATE_MEMBER(HotTubSlept, jlong ThreadStatistics::*, ThreadStatistics::_sleep_count)

// User time and all time in ns, bytes of the heap.
enum { user = 0, user_and_system = 1, allocated = 2, kinds_of_use = 3 };

// A thread that was there at S0.
struct HotTubUseOfThread {
  JavaThread* thread;
  jlong id;                      // of java.lang.Thread
  jlong allocated_of_new;        // at S0
  jlong before[kinds_of_use];    // what is not the run's
  jlong blocked, waited, slept;  // how often at S0
};

static GrowableArrayCHeap<HotTubUseOfThread, mtServiceability>* _threads;
// The same of threads that have ended.
static jlong _gone_of_new;
static jlong _gone_before = 0;
static volatile jlong _most_allocated = 0;

// Older updates of JDK 17 do not count that.
template <typename S>
static auto allocated_by_gone(int) -> decltype(S::exited_allocated_bytes()) {
  return S::exited_allocated_bytes();
}
template <typename S>
static jlong allocated_by_gone(...) {
  return 0;
}
static jlong allocated_by_gone() { return allocated_by_gone<ThreadService>(0); }

static const JmmInterface* management() {
  return (const JmmInterface*)Management::get_jmm_interface(JMM_VERSION);
}

// id: 0 is the current thread. all: what the thread has used since it began; less than 0 is none.
static jlong of_run(JNIEnv* env, jlong id, int kind, jlong all) {
  JavaThread* current = id == 0 ? JavaThread::thread_from_jni_environment(env) : NULL;
  for (int i = 0; all > 0 && i < _threads->length(); i++) {
    const HotTubUseOfThread& use = _threads->at(i);
    if (id == 0 ? use.thread == current : use.id == id) {
      return MAX2(all - use.before[kind], (jlong)0);
    }
  }
  return all;
}

static jlong total_time_of(JNIEnv* env, jlong id) {
  return of_run(env, id, user_and_system,
                management()->GetThreadCpuTimeWithKind(env, id, user_and_system));
}

// The kernel tells it in ticks: a difference of two may be one more than all time of the run.
static jlong user_time_of(JNIEnv* env, jlong id, jlong time) {
  return time <= 0 ? time : MIN2(of_run(env, id, user, time), total_time_of(env, id));
}

static jlong JNICALL get_total_time(JNIEnv* env, jclass, jlong id) {
  return total_time_of(env, id);
}

static jlong JNICALL get_user_time(JNIEnv* env, jclass, jlong id) {
  return user_time_of(env, id, management()->GetThreadCpuTimeWithKind(env, id, user));
}

static jlong JNICALL get_allocated(JNIEnv* env, jclass, jlong id) {
  return of_run(env, id, allocated, management()->GetOneThreadAllocatedMemory(env, id));
}

template <int kind>
static void JNICALL get_all(JNIEnv* env, jclass, jlongArray ids, jlongArray uses) {
  if (kind == allocated) {
    management()->GetThreadAllocatedMemory(env, ids, uses);
  } else {
    management()->GetThreadCpuTimesWithKind(env, ids, uses, kind);
  }
  const jsize count = env->ExceptionCheck() ? 0 : env->GetArrayLength(ids);
  for (jsize i = 0; i < count; i++) {
    jlong id, use;
    env->GetLongArrayRegion(ids, i, 1, &id);
    env->GetLongArrayRegion(uses, i, 1, &use);
    use = kind == user ? user_time_of(env, id, use) : of_run(env, id, kind, use);
    env->SetLongArrayRegion(uses, i, 1, &use);
  }
}

// HotSpot's own never tells less than it has told before, be it in another run.
JNI_ENTRY(static jlong, all_allocated(JNIEnv* env, jclass))
jlong bytes = allocated_by_gone() - _gone_before;
{
  JavaThreadIteratorWithHandle threads;
  while (JavaThread* each = threads.next()) {
    bytes += each->cooked_allocated_bytes();
  }
  for (int i = 0; i < _threads->length(); i++) {
    if (threads.list()->includes(_threads->at(i).thread)) {
      bytes -= _threads->at(i).before[allocated];
    }
  }
}
jlong most = Atomic::load(&_most_allocated);
while (bytes > most) {
  const jlong seen = Atomic::cmpxchg(&_most_allocated, most, bytes);
  most = seen == most ? bytes : seen;
}
return most;
JNI_END

static const HotTubNative _natives[] = {
    {"sun/management/ThreadImpl", "getThreadTotalCpuTime0", "(J)J", (void*)get_total_time},
    {"sun/management/ThreadImpl", "getThreadTotalCpuTime1", "([J[J)V",
     (void*)get_all<user_and_system>},
    {"sun/management/ThreadImpl", "getThreadUserCpuTime0", "(J)J", (void*)get_user_time},
    {"sun/management/ThreadImpl", "getThreadUserCpuTime1", "([J[J)V", (void*)get_all<user>},
    {"sun/management/ThreadImpl", "getThreadAllocatedMemory0", "(J)J", (void*)get_allocated},
    {"sun/management/ThreadImpl", "getThreadAllocatedMemory1", "([J[J)V",
     (void*)get_all<allocated>},
    {"sun/management/ThreadImpl", "getTotalThreadAllocatedMemory", "()J", (void*)all_allocated},
};

const HotTubNative* HotTubThreadUse::natives(int* count) {
  *count = ARRAY_SIZE(_natives);
  return _natives;
}

void HotTubThreadUse::take() {
  _threads = new GrowableArrayCHeap<HotTubUseOfThread, mtServiceability>();
  _gone_of_new = allocated_by_gone();
  JavaThreadIteratorWithHandle threads;
  while (JavaThread* thread = threads.next()) {
    ThreadStatistics* counts = thread->get_thread_stat();
    HotTubUseOfThread use = {};
    use.thread = thread;
    use.id = thread->threadObj() == NULL ? -1 : java_lang_Thread::thread_id(thread->threadObj());
    use.allocated_of_new = thread->cooked_allocated_bytes();
    use.blocked = counts->*address_of(HotTubBlocked());
    use.waited = counts->*address_of(HotTubWaited());
    use.slept = counts->*address_of(HotTubSlept());
    _threads->append(use);
  }
}

static void set_time_before(HotTubUseOfThread* use) {
  use->before[user] = os::thread_cpu_time(use->thread, false);
  use->before[user_and_system] = os::thread_cpu_time(use->thread, true);
}

template <typename F>
static void for_those_of_new(F each) {
  JavaThreadIteratorWithHandle threads;
  while (JavaThread* thread = threads.next()) {
    for (int i = 0; i < _threads->length(); i++) {
      if (_threads->at(i).thread == thread) {
        each(_threads->adr_at(i));
      }
    }
  }
}

void HotTubThreadUse::begin_run() {
  for_those_of_new([](HotTubUseOfThread* use) {
    // HotSpot's own number may only grow: the size of buffers depends on it.
    use->before[allocated] = use->thread->cooked_allocated_bytes() - use->allocated_of_new;
    ThreadStatistics* counts = use->thread->get_thread_stat();
    counts->*address_of(HotTubBlocked()) = use->blocked;
    counts->*address_of(HotTubWaited()) = use->waited;
    counts->*address_of(HotTubSlept()) = use->slept;
    counts->reset_time_stat();
    if (use->thread == JavaThread::current()) {
      set_time_before(use);
    }
  });
  _gone_before = allocated_by_gone() - _gone_of_new;
  _most_allocated = 0;
}

void HotTubThreadUse::end_run() {
  // Here, where nobody waits: it reads files.
  for_those_of_new([](HotTubUseOfThread* use) { set_time_before(use); });
}

void HotTubThreadUse::begin_clone() {
  for (int i = 0; i < _threads->length(); i++) {
    HotTubUseOfThread* use = _threads->adr_at(i);
    use->before[user] = use->before[user_and_system] = 0;
  }
}
