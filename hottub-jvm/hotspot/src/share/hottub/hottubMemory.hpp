// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBMEMORY_HPP
#define SHARE_HOTTUB_HOTTUBMEMORY_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// Memory that a run has used and that nobody can read after it.
class HotTubMemory : AllStatic {
 public:
  // At a safepoint, after a full collection: what of the heap is free goes back to the operating
  // system, or is zeroed where that cannot be.
  static void release_heap();

  // G1 tells of memory some time after it was given back, when the next run may log. Whether it was
  // the reset that gave back all of it. regions: what G1 has given back itself.
  static bool is_told_of_reset(uint regions);

  // On the main thread, after all cleaners: blocks outside of the heap, and what the thread has
  // left in its arenas.
  static void release_blocks(JavaThread* main);

  // Free chunks of arenas, most of them of compilers: what HotSpot does every 5 s, at once. Clones
  // would do it each for itself, and write to pages that they share until then.
  static void release_chunks();
};

#endif  // SHARE_HOTTUB_HOTTUBMEMORY_HPP
