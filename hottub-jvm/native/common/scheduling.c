// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "scheduling.h"

#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  IO_PRIORITY_OF_THREAD = 1,  // IOPRIO_WHO_PROCESS, which means a thread
  IO_CLASS_SHIFT = 13,
  POLICY_DEADLINE = 6,
};

// As in linux/sched/types.h, which the C library of the client has not.
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
  uint32_t utilization_min, utilization_max;
};

// Without a class of its own a thread has that of its nice value; some kernels show a level then.
static uint32_t io_priority(int thread) {
  long priority = syscall(SYS_ioprio_get, IO_PRIORITY_OF_THREAD, thread);
  return priority < 0 || priority >> IO_CLASS_SHIFT == 0 ? 0 : (uint32_t)priority;
}

bool scheduling_of(int thread, struct scheduling *out) {
  struct attributes now = {.size = sizeof now};
  memset(out, 0, sizeof *out);
  if (syscall(SYS_sched_getattr, thread, &now, (unsigned)sizeof now, 0u) != 0) return false;
  out->policy = now.policy;
  out->priority = now.priority;
  out->flags = now.flags;
  // Of other policies some kernels show the time slice here, which is of the machine.
  if (now.policy == POLICY_DEADLINE) {
    out->runtime = now.runtime;
    out->deadline = now.deadline;
    out->period = now.period;
  }
  out->utilization_min = now.utilization_min;
  out->utilization_max = now.utilization_max;
  out->io_priority = io_priority(thread);
  return true;
}

bool scheduling_restore(int thread, const struct scheduling *wanted) {
  struct scheduling now;
  if (!scheduling_of(thread, &now)) return true;
  if (memcmp(&now, wanted, sizeof now) == 0) return true;
  if (now.policy != wanted->policy || now.priority != wanted->priority) {
    const struct sched_param parameters = {.sched_priority = (int)wanted->priority};
    syscall(SYS_sched_setscheduler, thread, (int)wanted->policy, &parameters);
  }
  if (now.io_priority != wanted->io_priority) {
    syscall(SYS_ioprio_set, IO_PRIORITY_OF_THREAD, thread, wanted->io_priority);
  }
  return !scheduling_of(thread, &now) || memcmp(&now, wanted, sizeof now) == 0;
}
