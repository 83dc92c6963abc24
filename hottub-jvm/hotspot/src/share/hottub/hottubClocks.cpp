// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/referenceProcessor.hpp"
#include "hottub/hottubClocks.hpp"
#include "hottub/hottubPrivate.hpp"
#include "memory/universe.hpp"
#include "runtime/os.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubSoftReferenceClock, jlong*,
                      ReferenceProcessor::_soft_ref_timestamp_clock)
HOTTUB_PRIVATE_MEMBER(HotTubUsedAtLastCollection, size_t CollectedHeap::*,
                      CollectedHeap::_used_at_last_gc)

void HotTubClocks::begin_run() {
  CollectedHeap* heap = Universe::heap();
  const jlong now = os::javaTimeNanos() / NANOSECS_PER_MILLISEC;
  *address_of(HotTubSoftReferenceClock()) = now;
  java_lang_ref_SoftReference::set_clock(now);
  heap->record_whole_heap_examined_timestamp();
  // The less is used the longer soft references live; in a new JVM nothing is.
  heap->*address_of(HotTubUsedAtLastCollection()) = 0;
}
