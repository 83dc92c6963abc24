// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBBLOCKS_HPP
#define SHARE_HOTTUB_HOTTUBBLOCKS_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// The blocks of Unsafe.allocateMemory: what a run does not free, the reset does, as the end of a
// process would.
//
// A block of S0 is never freed, because the snapshot may bring back an object that knows its
// address; nor is an address that is no block: whoever frees it has missed a reset.
class HotTubBlocks : AllStatic {
 public:
  static void* allocate(size_t size);
  static void* reallocate(void* block, size_t size);
  static void free(void* block);

  // What is allocated now belongs to S0.
  static void close_base();

  // Returns the number of blocks that a run has left.
  static int free_all();
};

#endif  // SHARE_HOTTUB_HOTTUBBLOCKS_HPP
