// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubEvents.hpp"
#include "hottub/hottubPrivate.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"
#include "utilities/events.hpp"
#include "utilities/exceptions.hpp"

#include <string.h>

HOTTUB_PRIVATE_MEMBER(HotTubEventLogs, EventLog**, Events::_logs)
HOTTUB_PRIVATE_MEMBER(HotTubNextLog, EventLog* EventLog::*, EventLog::_next)
HOTTUB_PRIVATE_MEMBER(HotTubHeapErrors, volatile int*,
                      Exceptions::_out_of_memory_error_java_heap_errors)
HOTTUB_PRIVATE_MEMBER(HotTubMetaspaceErrors, volatile int*,
                      Exceptions::_out_of_memory_error_metaspace_errors)
HOTTUB_PRIVATE_MEMBER(HotTubClassSpaceErrors, volatile int*,
                      Exceptions::_out_of_memory_error_class_metaspace_errors)
HOTTUB_PRIVATE_MEMBER(HotTubLinkageErrors, volatile int*, Exceptions::_linkage_errors)
HOTTUB_PRIVATE_MEMBER(HotTubStackOverflows, volatile int*, Exceptions::_stack_overflow_errors)

// All logs are rings of records; only the size of a text differs.
template <typename LOG>
class HotTubEventLog : public LOG {
 public:
  static void forget(EventLog* any, bool has_texts) {
    HotTubEventLog* log = static_cast<HotTubEventLog*>(any);
    MutexLocker locker(&log->_mutex, Mutex::_no_safepoint_check_flag);
    for (int i = 0; has_texts && i < log->_count; i++) {
      memset(log->_records[i].data.buffer(), 0, log->_records[i].data.size());
    }
    log->_index = log->_count = 0;
  }
};

void HotTubEvents::forget() {
  for (EventLog* log = *address_of(HotTubEventLogs()); log != NULL;
       log = log->*address_of(HotTubNextLog())) {
    if (log->matches_name_or_handle("exc")) {
      HotTubEventLog<ExtendedStringEventLog>::forget(log, true);
    } else {
      // The heap's has a type of its own, and nothing but figures.
      HotTubEventLog<StringEventLog>::forget(log, !log->matches_name_or_handle("gc"));
    }
  }
  volatile int* const counts[] = {
      address_of(HotTubHeapErrors()), address_of(HotTubMetaspaceErrors()),
      address_of(HotTubClassSpaceErrors()), address_of(HotTubLinkageErrors()),
      address_of(HotTubStackOverflows())};
  for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
    Atomic::store(counts[i], 0);
  }
}
