// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "native-memory.h"

#include <malloc.h>
#include <stddef.h>

// The VM itself keeps about 90 MiB of 40 different queries of Spark and Hive; engines leave a
// container 384 MiB and more beside its heap.
enum { LEFT_MAX_MIB = 256 };

static size_t before;

static size_t in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void native_memory_remember(void) { before = in_use(); }

bool native_memory_is_bounded(struct doubt *doubt) {
  size_t now = in_use();
  size_t left = now > before ? (now - before) >> 20 : 0;
  if (left <= LEFT_MAX_MIB) return true;
  doubt_because(doubt, DOUBT_WORN_OUT_MIB_OF_NATIVE_MEMORY_ARE_LEFT, (int)left);
  return false;
}
