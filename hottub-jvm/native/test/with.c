// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Gives itself an attribute that programs inherit, and becomes one:
//
//   with ATTRIBUTE PROGRAM ARGUMENT...
//   with                                  prints the attributes that it knows
//
// Status 77: the kernel does not let us.

#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_NOT_PERMITTED = 77, EXIT_USAGE = 2 };

static int set_personality(void) { return personality(ADDR_NO_RANDOMIZE); }

static int set_memory_policy(int mode) {
  const unsigned long first_node = 1;
  return (int)syscall(SYS_set_mempolicy, mode, &first_node, 8 * sizeof first_node);
}
static int bind_memory(void) { return set_memory_policy(MPOL_BIND); }
static int interleave_memory(void) { return set_memory_policy(MPOL_INTERLEAVE); }

static int set_secure_bits(void) { return prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP); }
static int set_timer_slack(void) { return prctl(PR_SET_TIMERSLACK, 60000); }
static int disable_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }
static int kill_early(void) { return prctl(PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_EARLY, 0, 0); }
static int flush(void) { return prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0); }
static int mitigate(void) {
  return prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0);
}

static int set_policy(int policy, int priority) {
  const struct sched_param parameters = {.sched_priority = priority};
  return (int)syscall(SYS_sched_setscheduler, 0, policy, &parameters);
}
static int be_idle(void) { return set_policy(SCHED_IDLE, 0); }
static int be_batch(void) { return set_policy(SCHED_BATCH, 0); }
static int be_first(void) { return set_policy(SCHED_FIFO, 1); }
static int be_before_first(void) { return set_policy(SCHED_FIFO, 2); }
static int need_little(void) {
  struct sched_attr attributes = {.size = sizeof attributes,
                                  .sched_flags = SCHED_FLAG_KEEP_ALL | SCHED_FLAG_UTIL_CLAMP_MAX,
                                  .sched_util_max = 100};
  return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static int set_io_priority(int class, int level) {
  return (int)syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(class, level));
}
static int be_idle_in_io(void) { return set_io_priority(IOPRIO_CLASS_IDLE, 0); }
static int be_late_in_io(void) { return set_io_priority(IOPRIO_CLASS_BE, 7); }

static int write_to(const char *path, const char *text) {
  int fd = open(path, O_WRONLY);
  return fd >= 0 && write(fd, text, strlen(text)) > 0 ? 0 : -1;
}
static int be_killed_first(void) { return write_to("/proc/self/oom_score_adj", "500"); }
static int dump_more(void) { return write_to("/proc/self/coredump_filter", "0x11"); }
// Not in the headers of older kernels: PR_SET_MDWE.
enum { SET_WRITE_OR_EXECUTE = 65, REFUSE_TO_GAIN = 1 };
static int write_or_execute(void) { return prctl(SET_WRITE_OR_EXECUTE, REFUSE_TO_GAIN, 0, 0, 0); }
static int share_cores(void) {
  return prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0, PR_SCHED_CORE_SCOPE_THREAD_GROUP, 0);
}

static const struct {
  const char *name;
  int (*set)(void);
} attributes[] = {{"personality", set_personality},
                  {"memory-of-a-node", bind_memory},
                  {"memory-of-all-nodes", interleave_memory},
                  {"secure-bits", set_secure_bits},
                  {"timer-slack", set_timer_slack},
                  {"no-huge-pages", disable_huge_pages},
                  {"memory-failures", kill_early},
                  {"io-flusher", flush},
                  {"no-store-bypass", mitigate},
                  {"idle", be_idle},
                  {"batch", be_batch},
                  {"first-in-first-out", be_first},
                  {"another-priority", be_before_first},
                  {"little-utilization", need_little},
                  {"idle-io", be_idle_in_io},
                  {"late-io", be_late_in_io},
                  {"oom-score", be_killed_first},
                  {"core-filter", dump_more},
                  {"write-or-execute", write_or_execute},
                  {"shared-cores", share_cores}};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
    if (argc < 2) {
      puts(attributes[i].name);
    } else if (argc > 2 && strcmp(argv[1], attributes[i].name) == 0) {
      if (attributes[i].set() < 0) return EXIT_NOT_PERMITTED;
      execvp(argv[2], argv + 2);
      perror(argv[2]);
    }
  }
  return argc < 2 ? 0 : EXIT_USAGE;
}
