// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubCounters.hpp"
#include "hottub/hottubPrivate.hpp"
#include "runtime/arguments.hpp"
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

// Not of the run, or not counted from its begin: what is loaded, what threads and spaces there are,
// and what is a time. Some of these HotTubServices puts right.
static const char* const prefixes_of_moment[] = {
    "java.cls.",
    "java.threads.",
    "sun.ci.threads",
    "sun.cls.loadedBytes",
    "sun.cls.methodBytes",
    "sun.cls.sharedLoadedBytes",
    "sun.cls.sharedUnloadedBytes",
    "sun.cls.unloadedBytes",
    "sun.gc.compressedclassspace.",
    "sun.gc.generation.",
    "sun.gc.metaspace.",
    "sun.os.",
    "sun.perfdata.",
};

namespace {

struct OfRun {
  const char* name;
  PerfStringVariable* counter;  // NULL: -XX:-UsePerfData
};

// Of a counter at S0.
struct Value {
  bool is_restored;
  jlong number;
  const char* text;
};

}  // namespace

static OfRun _of_run[] = {{"vmArgs", NULL},
                          {"javaCommand", NULL},
                          {"java.class.path", NULL},
                          {"java.library.path", NULL}};

static GrowableArray<Value>* _values = NULL;

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

static bool tells_the_moment(PerfData* item) {
  for (const char* prefix : prefixes_of_moment) {
    if (strncmp(item->name(), prefix, strlen(prefix)) == 0) {
      return true;
    }
  }
  return item->variability() == PerfData::V_Constant;
}

static bool is_of_run(PerfData* item) {
  for (const OfRun& of_run : _of_run) {
    if (of_run.counter == item) {
      return true;
    }
  }
  return false;
}

static bool is_restored(PerfData* item) { return !tells_the_moment(item) && !is_of_run(item); }

void HotTubCounters::create_string(CounterNS name_space, const char* name, const char* value,
                                   TRAPS) {
  for (OfRun& of_run : _of_run) {
    if (UseHotTub && strcmp(of_run.name, name) == 0) {
      of_run.counter = PerfDataManager::create_string_variable(name_space, name,
                                                               PerfMaxStringConstLength, "", CHECK);
      return;
    }
  }
  PerfDataManager::create_string_constant(name_space, name, value, CHECK);
}

void HotTubCounters::set(const char* name, const char* value) {
  for (const OfRun& of_run : _of_run) {
    if (of_run.counter != NULL && strcmp(of_run.name, name) == 0) {
      of_run.counter->set_value(value);
    }
  }
}

static void take_values() {
  MutexLocker locker(PerfDataManager_lock);
  _values = new (ResourceObj::C_HEAP, mtInternal) GrowableArray<Value>(_all, mtInternal);
  for (int i = 0; i < _all; i++) {
    PerfData* item = all()->at(i);
    Value value = {is_restored(item), 0, NULL};
    if (item->units() == PerfData::U_String) {
      value.text = os::strdup_check_oom((const char*)item->get_address(), mtInternal);
    } else {
      value.number = *(jlong*)item->get_address();
    }
    _values->append(value);
  }
}

// Who counts at this moment writes over it, or is written over; both are right.
static void restore_values() {
  MutexLocker locker(PerfDataManager_lock);
  for (int i = 0; i < length_of(all()); i++) {
    PerfData* item = all()->at(i);
    const Value value = i < _all ? _values->at(i) : Value{is_restored(item), 0, ""};
    if (!value.is_restored) {
      continue;
    }
    if (item->units() == PerfData::U_String) {
      static_cast<PerfStringVariable*>(item)->set_value(value.text);
    } else {
      *(jlong*)item->get_address() = value.number;
    }
  }
}

void HotTubCounters::begin_run() {
  restore_values();
  set("java.class.path", Arguments::get_property("java.class.path"));
  set("java.library.path", Arguments::get_property("java.library.path"));
}

void HotTubCounters::take() {
  _all = length_of(all());
  take_values();
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

void HotTubCounters::forget_management_agent() {
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
