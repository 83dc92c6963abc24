// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "attributes.h"

// Attributes of the process and of its main thread that only native code changes: who it is, what
// it may do, what it sees. Much of that cannot be taken back, and all of it is rare: a difference
// ends the JVM.

#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Lines of /proc/thread-self/status; a kernel without one of them has none at S0 either.
static const char *const status_lines[] = {"Uid:",
                                           "Gid:",
                                           "Groups:",
                                           "THP_enabled:",
                                           "CapInh:",
                                           "CapPrm:",
                                           "CapEff:",
                                           "CapBnd:",
                                           "CapAmb:",
                                           "NoNewPrivs:",
                                           "Seccomp:",
                                           "Seccomp_filters:",
                                           "Speculation_Store_Bypass:",
                                           "SpeculationIndirectBranch:",
                                           NULL};

static const char *const links[] = {"cgroup",           "ipc",  "mnt",  "net", "pid",
                                    "pid_for_children", "time", "user", "uts", NULL};

static const struct {
  const char *name;
  int get;
  bool is_written;  // to where the argument points; else it is the result
} controls[] = {{"dumpable", PR_GET_DUMPABLE, false},
                {"keep capabilities", PR_GET_KEEPCAPS, false},
                {"secure bits", PR_GET_SECUREBITS, false},
                {"timer slack", PR_GET_TIMERSLACK, false},
                {"memory failure policy", PR_MCE_KILL_GET, false},
                {"huge pages disabled", PR_GET_THP_DISABLE, false},
                {"input and output of memory", PR_GET_IO_FLUSHER, false},
                {"signal at death of parent", PR_GET_PDEATHSIG, true},
                {"time stamp counter", PR_GET_TSC, true},
                {"child subreaper", PR_GET_CHILD_SUBREAPER, true}};

static char *at_start;

static void describe_status(FILE *out) {
  FILE *status = fopen("/proc/thread-self/status", "re");
  if (!status) return;
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, status) > 0) {
    for (size_t i = 0; status_lines[i]; i++) {
      if (strncmp(line, status_lines[i], strlen(status_lines[i])) == 0) fputs(line, out);
    }
  }
  free(line);
  fclose(status);
}

// One attribute a line. NULL if there is no memory for it.
static char *describe(void) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  describe_status(out);
  for (size_t i = 0; links[i]; i++) {
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/thread-self/ns/%s", links[i]);
    ssize_t length = readlink(path, target, sizeof target);
    fprintf(out, "namespace %s: %.*s\n", links[i], length < 0 ? 0 : (int)length, target);
  }
  for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
    int value = 0;
    int result = prctl(controls[i].get, controls[i].is_written ? &value : NULL, 0, 0, 0);
    fprintf(out, "%s: %d\n", controls[i].name, controls[i].is_written ? value : result);
  }
  int memory_policy = MPOL_DEFAULT;
  syscall(SYS_get_mempolicy, &memory_policy, NULL, 0, NULL, 0);
  fprintf(out, "memory policy: %d\npersonality: %x\n", memory_policy,
          (unsigned)personality(0xffffffff));
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

void attributes_remember(void) { at_start = describe(); }

bool attributes_are_as_before(struct doubt *doubt) {
  char *now = describe();
  if (!now || !at_start) {
    doubt_because(doubt, DOUBT_NO_MEMORY_TO_COMPARE_THE_ATTRIBUTES_OF_THE_PROCESS);
    free(now);
    return false;
  }
  size_t same = 0;
  for (size_t i = 0; now[i] && now[i] == at_start[i]; i++) {
    if (now[i] == '\n') same = i + 1;
  }
  bool is_same = strcmp(now + same, at_start + same) == 0;
  if (!is_same) {
    doubt_because(doubt, DOUBT_THE_RUN_HAS_CHANGED_ITS_PROCESS_WHICH_HAD,
                  (int)strcspn(at_start + same, "\n"), at_start + same,
                  (int)strcspn(now + same, "\n"), now + same);
  }
  free(now);
  return is_same;
}
