// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "compiler/compileBroker.hpp"
#include "hottub/hottubClone.hpp"
#include "hottub/hottubNativeCode.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubRunCode.hpp"
#include "hottub/hottubThreadUse.hpp"
#include "memory/iterator.hpp"
#include "runtime/globals.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/osThread.hpp"
#include "runtime/perfMemory.hpp"
#include "runtime/thread.hpp"
#include "services/memTracker.hpp"

#include <string.h>
#include <sys/mman.h>

typedef void HotTubCreateFunction(size_t size);
HOTTUB_PRIVATE_MEMBER(HotTubCreateCounters, HotTubCreateFunction*, PerfMemory::create_memory_region)
HOTTUB_PRIVATE_MEMBER(HotTubCounterStart, char**, PerfMemory::_start)

static bool _is_one = false;
static int _compiled_before = 0;

bool HotTubClone::is_one() { return _is_one; }

int HotTubClone::compilations() {
  return CompileBroker::get_total_compile_count() - _compiled_before;
}

class HotTubRenumberThreads : public ThreadClosure {
  const HotTubThreadIds* const _ids;
  const int _count;

 public:
  HotTubRenumberThreads(const HotTubThreadIds* ids, int count) : _ids(ids), _count(count) {}
  void do_thread(Thread* thread) {
    OSThread* os_thread = thread->osthread();
    for (int i = 0; os_thread != NULL && i < _count; i++) {
      if (os_thread->thread_id() == (OSThread::thread_id_t)_ids[i].before) {
        os_thread->set_thread_id(_ids[i].now);
        return;
      }
    }
  }
};

// The host has put private memory into the place of the template's counters. A file of its own
// makes the process known to jps and jcmd.
static void show_counters() {
  if (!UsePerfData || PerfDisableSharedMem || PerfMemory::start() == NULL) {
    return;
  }
  char* place = PerfMemory::start();
  const size_t size = PerfMemory::capacity();
  address_of(HotTubCreateCounters())(size);
  char** start = address_of(HotTubCounterStart());
  char* fresh = *start;
  *start = place;
  if (fresh == NULL) {
    return;
  }
  memcpy(fresh, place, size);
  // Who tracks native memory has to know that the place of the new file is free again, before a
  // thread gets a stack there.
  Tracker tracker(Tracker::release);
  // At once: other threads count on.
  if (::mremap(fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED) {
    tracker.record((address)fresh, size);
  }
}

void HotTubClone::begin(const HotTubThreadIds* ids, int count, bool ends_with_run) {
  _is_one = ends_with_run;
  if (ends_with_run) {
    HotTubRunCode::begin_clone();
  }
  _compiled_before = CompileBroker::get_total_compile_count();
  HotTubRenumberThreads renumber(ids, count);
  {
    MutexLocker locker(Threads_lock);
    Threads::threads_do(&renumber);
  }
  HotTubNativeCode::remember_threads();
  HotTubThreadUse::begin_clone();
  show_counters();
}
