// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubCounters.hpp"
#include "hottub/hottubPrivate.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "runtime/perfData.inline.hpp"
#include "runtime/perfMemory.hpp"
#include "utilities/growableArray.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubAllCounters, PerfDataList**, PerfDataManager::_all)
HOTTUB_PRIVATE_MEMBER(HotTubConstantCounters, PerfDataList**, PerfDataManager::_constants)
HOTTUB_PRIVATE_MEMBER(HotTubCounterSet, GrowableArray<PerfData*>* PerfDataList::*,
                      PerfDataList::_set)
HOTTUB_PRIVATE_MEMBER(HotTubCounterEntry, PerfDataEntry* PerfData::*, PerfData::_pdep)
HOTTUB_PRIVATE_MEMBER(HotTubCounterTop, char**, PerfMemory::_top)
HOTTUB_PRIVATE_MEMBER(HotTubCounterPrologue, PerfDataPrologue**, PerfMemory::_prologue)

// sun.management.ConnectorAddressLink; then a number, or the name of the property.
static const char agent_prefix[] = "sun.management.JMXConnectorServer.";

static int _all = 0;
static int _constants = 0;
static char* _top = NULL;
static PerfDataPrologue _prologue;

static GrowableArray<PerfData*>* items(PerfDataList* list) {
  return list == NULL ? NULL : list->*address_of(HotTubCounterSet());
}

static GrowableArray<PerfData*>* all() { return items(*address_of(HotTubAllCounters())); }
static GrowableArray<PerfData*>* constants() {
  return items(*address_of(HotTubConstantCounters()));
}

static int length_of(GrowableArray<PerfData*>* list) { return list == NULL ? 0 : list->length(); }

static bool is_of_agent(PerfData* item) {
  return strncmp(item->name(), agent_prefix, strlen(agent_prefix)) == 0;
}

void HotTubCounters::take() {
  _all = length_of(all());
  _constants = length_of(constants());
  if (UsePerfData) {
    _top = *address_of(HotTubCounterTop());
    _prologue = **address_of(HotTubCounterPrologue());
  }
}

bool HotTubCounters::have_management_agent() {
  MutexLocker locker(PerfDataManager_lock);
  for (int i = _all; i < length_of(all()); i++) {
    if (is_of_agent(all()->at(i))) {
      return true;
    }
  }
  return false;
}

// As the destructor, which only PerfDataManager may call.
static void destroy(PerfData* item) {
  os::free(const_cast<char*>(item->name()));
  if (item->is_on_c_heap()) {
    os::free(item->*address_of(HotTubCounterEntry()));
  }
  os::free(item);
}

// Whether there were counters of the run. No other than those of its agent can be taken back.
static bool forget_counters_of_agent() {
  MutexLocker locker(PerfDataManager_lock);
  const int now = length_of(all());
  for (int i = _all; i < now; i++) {
    if (!is_of_agent(all()->at(i))) {
      return false;
    }
  }
  if (now == _all) {
    return false;
  }
  if (constants() != NULL) {
    constants()->trunc_to(_constants);
  }
  for (int i = _all; i < now; i++) {
    destroy(all()->at(i));
  }
  all()->trunc_to(_all);
  return true;
}

void HotTubCounters::restore() {
  // The two locks one after the other: who holds the first must not wait for a safepoint.
  if (!forget_counters_of_agent() || !UsePerfData) {
    return;
  }
  MutexLocker locker(PerfDataMemAlloc_lock);
  char*& top = *address_of(HotTubCounterTop());
  PerfDataPrologue* prologue = *address_of(HotTubCounterPrologue());
  memset(_top, 0, top - _top);
  top = _top;
  prologue->used = _prologue.used;
  prologue->overflow = _prologue.overflow;
  prologue->num_entries = _prologue.num_entries;
  PerfMemory::mark_updated();
}
