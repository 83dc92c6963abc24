// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SCHEDULING_H_
#define HOTTUB_SCHEDULING_H_

// How the kernel schedules a thread and its input and output. Children inherit it. The nice value
// is left out, which a lease carries.

#include <stdbool.h>
#include <stdint.h>

struct scheduling {
  uint32_t policy, priority;           // sched(7)
  uint64_t flags;                      // such as SCHED_FLAG_RESET_ON_FORK
  uint64_t runtime, deadline, period;  // of SCHED_DEADLINE, else 0
  uint32_t utilization_min, utilization_max;
  uint32_t io_priority;  // ioprio_get(2)
};

// 0: the calling thread. False: there is no such thread.
bool scheduling_of(int thread, struct scheduling *out);

// Policy, priority and that of input and output; false if not all of it is as wanted afterwards.
// True if the thread is gone.
bool scheduling_restore(int thread, const struct scheduling *wanted);

#endif  // HOTTUB_SCHEDULING_H_
