// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/symbolTable.hpp"
#include "gc/shared/gc_globals.hpp"
#include "hottub/hottubBlocks.hpp"
#include "hottub/hottubMemory.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubStopwatch.hpp"
#include "logging/log.hpp"
#include "memory/arena.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/globals.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"
#include "utilities/macros.hpp"
#if INCLUDE_G1GC
#include "gc/g1/g1CollectedHeap.inline.hpp"
#include "gc/g1/g1UncommitRegionTask.hpp"
#include "gc/g1/heapRegion.inline.hpp"
#endif
#if INCLUDE_PARALLELGC
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psOldGen.hpp"
#include "gc/parallel/psYoungGen.hpp"
#endif
#if INCLUDE_SERIALGC
#include "gc/serial/serialHeap.hpp"
#include "gc/shared/space.hpp"
#endif

#include <sys/mman.h>

HOTTUB_PRIVATE_MEMBER(HotTubArenaMax, char* Arena::*, Arena::_max)

// Later versions of 17 keep names alive for a while that somebody has asked for.
class TempSymbolCleanupDelayer;

template <typename Delayer>
static decltype(Delayer::drain_queue()) drop_delayed(int) {
  Delayer::drain_queue();
}

template <typename Delayer>
static void drop_delayed(long) {}

// Names that nobody uses, as of classes that there are not, stay in the table of symbols until some
// class loader is unloaded.
static void forget_symbols(JavaThread* main) {
  drop_delayed<TempSymbolCleanupDelayer>(0);
  SymbolTable::do_concurrent_work(main);
}

void HotTubMemory::release_blocks(JavaThread* main) {
  HotTubStopwatch watch;
  forget_symbols(main);
  const int blocks = HotTubBlocks::free_all();
  Arena* arena = main->resource_area();
  memset(arena->hwm(), 0, arena->*address_of(HotTubArenaMax()) - arena->hwm());
  log_info(hottub, reset)("memory outside of the heap freed: %d blocks, in %ld us", blocks,
                          watch.us());
}

// Free ranges, from low to high addresses; neighbours become one.
class HotTubFreeRanges : public StackObj {
  char* _begin = NULL;
  char* _end = NULL;

  static bool can_be_given_back() { return !UseLargePages || UseTransparentHugePages; }

  // A debug build overwrites what is free, and looks whether it stays so.
  static bool has_to_stay() { return NOT_DEBUG(false) DEBUG_ONLY(ZapUnusedHeapArea); }

  void flush() {
    if (_begin == _end || has_to_stay()) {
      return;
    }
    char* first = align_up(_begin, os::vm_page_size());
    char* last = align_down(_end, os::vm_page_size());
    if (first >= last || !can_be_given_back() ||
        ::madvise(first, last - first, MADV_DONTNEED) != 0) {
      memset(_begin, 0, _end - _begin);
      return;
    }
    memset(_begin, 0, first - _begin);
    memset(last, 0, _end - last);
  }

 public:
  ~HotTubFreeRanges() { flush(); }

  void add(HeapWord* begin, HeapWord* end) {
    if (begin == end) {
      return;
    }
    if ((char*)begin != _end) {
      flush();
      _begin = (char*)begin;
    }
    _end = (char*)end;
  }
};

#if INCLUDE_G1GC
typedef void (G1UncommitRegionTask::*HotTubUncommitFunction)();
HOTTUB_PRIVATE_MEMBER(HotTubUncommitTask, G1UncommitRegionTask**, G1UncommitRegionTask::_instance)
HOTTUB_PRIVATE_MEMBER(HotTubClearSummary, HotTubUncommitFunction,
                      G1UncommitRegionTask::clear_summary)

static bool has_uncommitted = false;

static void uncommit_at_once(G1CollectedHeap* heap) {
  heap->uncommit_regions(max_juint);
  G1UncommitRegionTask* task = *address_of(HotTubUncommitTask());
  if (task != NULL) {
    (task->*address_of(HotTubClearSummary()))();
  }
  has_uncommitted = true;
}

bool HotTubMemory::is_told_of_reset(uint regions) {
  const bool of_reset = has_uncommitted && regions == 0;
  has_uncommitted = false;
  return of_reset;
}

static void release_g1() {
  class Free : public HeapRegionClosure {
    HotTubFreeRanges _ranges;
    bool do_heap_region(HeapRegion* r) {
      // What of a humongous object is in its last region ends at top, too.
      _ranges.add(r->is_free() ? r->bottom() : r->top(), r->end());
      return false;
    }
  } free;
  G1CollectedHeap* heap = G1CollectedHeap::heap();
  // The collection may have shrunk the heap; else the memory would be given back some time later.
  if (heap->has_uncommittable_regions()) {
    uncommit_at_once(heap);
  }
  heap->heap_region_iterate(&free);
}
#endif

template <typename SPACE>
static void release_space(SPACE* space) {
  HotTubFreeRanges ranges;
  // With NUMA, top of eden is that of its last part.
  ranges.add(space->is_empty() ? space->bottom() : space->top(), space->end());
}

void HotTubMemory::release_heap() {
#if INCLUDE_G1GC
  if (UseG1GC) {
    release_g1();
  }
#endif
#if INCLUDE_PARALLELGC
  if (UseParallelGC) {
    ParallelScavengeHeap* heap = ParallelScavengeHeap::heap();
    release_space(heap->young_gen()->eden_space());
    release_space(heap->young_gen()->from_space());
    release_space(heap->young_gen()->to_space());
    release_space(heap->old_gen()->object_space());
  }
#endif
#if INCLUDE_SERIALGC
  if (UseSerialGC) {
    class Free : public SpaceClosure {
      void do_space(Space* space) { release_space(space->toContiguousSpace()); }
    } free;
    SerialHeap::heap()->young_gen()->space_iterate(&free);
    SerialHeap::heap()->old_gen()->space_iterate(&free);
  }
#endif
}
