// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/genArguments.hpp"
#include "hottub/hottubHeapSizes.hpp"
#include "hottub/hottubPrivate.hpp"
#include "memory/universe.hpp"
#include "runtime/globals.hpp"
#include "runtime/timer.hpp"
#include "utilities/macros.hpp"
#if INCLUDE_G1GC
#include "gc/g1/g1CollectedHeap.inline.hpp"
#endif
#if INCLUDE_PARALLELGC
#include "gc/parallel/parallelScavengeHeap.inline.hpp"
#include "gc/parallel/psAdaptiveSizePolicy.hpp"
#include "gc/parallel/psOldGen.hpp"
#include "gc/parallel/psScavenge.hpp"
#include "gc/parallel/psYoungGen.hpp"
#endif
#if INCLUDE_SERIALGC
#include "gc/serial/defNewGeneration.hpp"
#include "gc/serial/serialHeap.hpp"
#include "gc/serial/tenuredGeneration.hpp"
#include "gc/shared/cardTableRS.hpp"
#endif

// Of S0, in bytes: all of the heap with G1, else its generations.
static size_t heap_of_new = 0;
static size_t young_of_new = 0;
static size_t old_of_new = 0;

template <typename SPACE>
static bool resize(SPACE* space, size_t bytes) {
  const size_t before = space->committed_size();
  if (bytes < before) {
    space->shrink_by(before - bytes);
  }
  return bytes <= before || space->expand_by(bytes - before);
}

#if INCLUDE_G1GC
static void restore_g1() {
  G1CollectedHeap* heap = G1CollectedHeap::heap();
  if (heap->capacity() < heap_of_new) {
    heap->expand(heap_of_new - heap->capacity());
  }
}
#endif

#if INCLUDE_PARALLELGC
typedef void (PSYoungGen::*HotTubPSYoungFunction)();
HOTTUB_PRIVATE_MEMBER(HotTubPSLayOut, HotTubPSYoungFunction,
                      PSYoungGen::compute_initial_space_boundaries)
HOTTUB_PRIVATE_MEMBER(HotTubPSPostResize, HotTubPSYoungFunction, PSYoungGen::post_resize)
HOTTUB_PRIVATE_MEMBER(HotTubPSTenuring, uint*, PSScavenge::_tenuring_threshold)
HOTTUB_PRIVATE_MEMBER(HotTubPSDeathMarch, unsigned int ParallelScavengeHeap::*,
                      ParallelScavengeHeap::_death_march_count)
HOTTUB_PRIVATE_MEMBER(HotTubMinorTimer, elapsedTimer*, AdaptiveSizePolicy::_minor_timer)
HOTTUB_PRIVATE_MEMBER(HotTubMajorTimer, elapsedTimer*, AdaptiveSizePolicy::_major_timer)

// What the policy of sizes has measured is in objects of their own, but for its plain fields; a
// build with assertions looks whether these are all.
// clang-format off
#define HOTTUB_MEASURES(m)                                                    \
  m(PSAdaptiveSizePolicy, AdaptivePaddedAverage, _avg_major_pause)            \
  m(PSAdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_base_footprint)       \
  m(PSAdaptiveSizePolicy, LinearLeastSquareFit, _major_pause_old_estimator)   \
  m(PSAdaptiveSizePolicy, LinearLeastSquareFit, _major_pause_young_estimator) \
  m(AdaptiveSizePolicy, AdaptivePaddedAverage, _avg_minor_pause)              \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_minor_interval)         \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_minor_gc_cost)          \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_major_interval)         \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_major_gc_cost)          \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_young_live)             \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_eden_live)              \
  m(AdaptiveSizePolicy, AdaptiveWeightedAverage, _avg_old_live)               \
  m(AdaptiveSizePolicy, AdaptivePaddedAverage, _avg_survived)                 \
  m(AdaptiveSizePolicy, AdaptivePaddedNoZeroDevAverage, _avg_pretenured)      \
  m(AdaptiveSizePolicy, LinearLeastSquareFit, _minor_pause_old_estimator)     \
  m(AdaptiveSizePolicy, LinearLeastSquareFit, _minor_pause_young_estimator)   \
  m(AdaptiveSizePolicy, LinearLeastSquareFit, _minor_collection_estimator)    \
  m(AdaptiveSizePolicy, LinearLeastSquareFit, _major_collection_estimator)
// clang-format on

#define HOTTUB_MEASURE(CLASS, TYPE, FIELD) \
  HOTTUB_PRIVATE_MEMBER(HotTub##FIELD, TYPE* CLASS::*, CLASS::FIELD)
HOTTUB_MEASURES(HOTTUB_MEASURE)
HOTTUB_PRIVATE_MEMBER(HotTubGCStats, GCStats PSAdaptiveSizePolicy::*,
                      PSAdaptiveSizePolicy::_gc_stats)
HOTTUB_PRIVATE_MEMBER(HotTubAvgPromoted, AdaptivePaddedNoZeroDevAverage* GCStats::*,
                      GCStats::_avg_promoted)

static PSAdaptiveSizePolicy* policy_of_new = NULL;  // one that never decides
static uint tenuring_of_new = 0;

static PSAdaptiveSizePolicy* new_policy() {
  ParallelScavengeHeap* heap = ParallelScavengeHeap::heap();
  const size_t eden = heap->young_gen()->eden_space()->capacity_in_bytes();
  // As in ParallelScavengeHeap::initialize.
  return new PSAdaptiveSizePolicy(eden, MIN2(eden, heap->old_gen()->capacity_in_bytes()),
                                  heap->young_gen()->to_space()->capacity_in_bytes(), GenAlignment,
                                  (double)MaxGCPauseMillis / 1000.0,
                                  (double)MaxGCMinorPauseMillis / 1000.0, GCTimeRatio);
}

template <typename T>
static void copy_measure(T** to, T* const* from, T** to_of_copy) {
  **to = **from;
  *to_of_copy = *to;
}

#ifdef ASSERT
// Of two policies that were made of the same, only pointers to objects of their own differ.
static int count_measures(const PSAdaptiveSizePolicy* a, const PSAdaptiveSizePolicy* b) {
  int count = 0;
  for (size_t i = 0; i < sizeof(*a) / sizeof(intptr_t); i++) {
    count += ((const intptr_t*)a)[i] != ((const intptr_t*)b)[i] ? 1 : 0;
  }
  return count;
}

#define HOTTUB_COUNT(CLASS, TYPE, FIELD) +1
#endif

static void renew_policy(PSAdaptiveSizePolicy* policy) {
  // Byte by byte: some fields are constants.
  char bytes[sizeof(PSAdaptiveSizePolicy)];
  memcpy(bytes, (const void*)policy_of_new, sizeof bytes);
  PSAdaptiveSizePolicy* renewed = (PSAdaptiveSizePolicy*)bytes;
#define HOTTUB_COPY(CLASS, TYPE, FIELD)                        \
  copy_measure(&(policy->*address_of(HotTub##FIELD())),        \
               &(policy_of_new->*address_of(HotTub##FIELD())), \
               &(renewed->*address_of(HotTub##FIELD())));
  HOTTUB_MEASURES(HOTTUB_COPY)
  copy_measure(&((policy->*address_of(HotTubGCStats())).*address_of(HotTubAvgPromoted())),
               &((policy_of_new->*address_of(HotTubGCStats())).*address_of(HotTubAvgPromoted())),
               &((renewed->*address_of(HotTubGCStats())).*address_of(HotTubAvgPromoted())));
  memcpy((void*)policy, bytes, sizeof bytes);
}

static void take_parallel() {
  ParallelScavengeHeap* heap = ParallelScavengeHeap::heap();
  young_of_new = heap->young_gen()->virtual_space()->committed_size();
  old_of_new = heap->old_gen()->capacity_in_bytes();
  tenuring_of_new = *address_of(HotTubPSTenuring());
  policy_of_new = new_policy();
  assert(count_measures(policy_of_new, new_policy()) == 1 HOTTUB_MEASURES(HOTTUB_COUNT),
         "HOTTUB_MEASURES are not all");
  renew_policy(heap->size_policy());
}

static void restore_parallel() {
  ParallelScavengeHeap* heap = ParallelScavengeHeap::heap();
  PSOldGen* old = heap->old_gen();
  PSYoungGen* young = heap->young_gen();
  if (old->used_in_bytes() <= old_of_new) {
    old->resize(old_of_new - old->used_in_bytes());
  }
  if (young->used_in_bytes() == 0 && young->to_space()->is_empty() &&
      resize(young->virtual_space(), young_of_new)) {
    (young->*address_of(HotTubPSLayOut()))();
    (young->*address_of(HotTubPSPostResize()))();
  }
  renew_policy(heap->size_policy());
  *address_of(HotTubPSTenuring()) = tenuring_of_new;
  heap->*address_of(HotTubPSDeathMarch()) = 0;
  young->update_counters();
  old->update_counters();
}

static void start_anew(elapsedTimer* timer) {
  timer->stop();
  timer->reset();
  timer->start();
}
#endif

#if INCLUDE_SERIALGC
typedef void (DefNewGeneration::*HotTubDefNewLayOutFunction)(uintx, bool, bool);
HOTTUB_PRIVATE_MEMBER(HotTubDefNewLayOut, HotTubDefNewLayOutFunction,
                      DefNewGeneration::compute_space_boundaries)
HOTTUB_PRIVATE_MEMBER(HotTubDefNewTenuring, uint DefNewGeneration::*,
                      DefNewGeneration::_tenuring_threshold)
HOTTUB_PRIVATE_MEMBER(HotTubVirtualSpace, VirtualSpace Generation::*, Generation::_virtual_space)
HOTTUB_PRIVATE_MEMBER(HotTubShrinkFactor, size_t CardGeneration::*, CardGeneration::_shrink_factor)

static VirtualSpace* space_of(Generation* generation) {
  return &(generation->*address_of(HotTubVirtualSpace()));
}

static void take_serial() {
  young_of_new = space_of(SerialHeap::heap()->young_gen())->committed_size();
  old_of_new = SerialHeap::heap()->old_gen()->capacity();
}

static void restore_serial() {
  SerialHeap* heap = SerialHeap::heap();
  DefNewGeneration* young = heap->young_gen();
  TenuredGeneration* old = heap->old_gen();
  if (old->capacity() < old_of_new) {
    old->grow_by(old_of_new - old->capacity());
  } else if (old->used() <= old_of_new) {
    old->shrink(old->capacity() - old_of_new);
  }
  if (young->eden()->is_empty() && young->from()->is_empty() && young->to()->is_empty() &&
      resize(space_of(young), young_of_new)) {
    (young->*address_of(HotTubDefNewLayOut()))(0, SpaceDecorator::Clear, SpaceDecorator::Mangle);
    VirtualSpace* space = space_of(young);
    heap->rem_set()->resize_covered_region(
        MemRegion((HeapWord*)space->low(), (HeapWord*)space->high()));
  }
  young->*address_of(HotTubDefNewTenuring()) = MaxTenuringThreshold;
  old->*address_of(HotTubShrinkFactor()) = 0;
  *old->gc_stats()->avg_promoted() =
      AdaptivePaddedNoZeroDevAverage(AdaptiveSizePolicyWeight, PromotedPadding);
  young->update_counters();
  old->update_counters();
}
#endif

void HotTubHeapSizes::take() {
  heap_of_new = Universe::heap()->capacity();
  PARALLELGC_ONLY(if (UseParallelGC) { take_parallel(); })
  SERIALGC_ONLY(if (UseSerialGC) { take_serial(); })
}

void HotTubHeapSizes::begin_run() {
#if INCLUDE_PARALLELGC
  if (UseParallelGC) {
    start_anew(address_of(HotTubMinorTimer()));
    start_anew(address_of(HotTubMajorTimer()));
  }
#endif
}

void HotTubHeapSizes::restore() {
  G1GC_ONLY(if (UseG1GC) { restore_g1(); })
  PARALLELGC_ONLY(if (UseParallelGC) { restore_parallel(); })
  SERIALGC_ONLY(if (UseSerialGC) { restore_serial(); })
}
