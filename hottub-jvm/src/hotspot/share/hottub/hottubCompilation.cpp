/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "code/codeCache.hpp"
#include "code/nmethod.hpp"
#include "hottub/hottubCompilation.hpp"
#include "oops/method.inline.hpp"
#include "oops/methodCounters.hpp"
#include "oops/methodData.hpp"
#include "runtime/globals.hpp"
#include "runtime/mutexLocker.hpp"

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
