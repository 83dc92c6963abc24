// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "attributes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scheduling.h"

// As many as a kernel can be built for (NODES_SHIFT); it refuses to tell in less room than it has.
#define NUMA_NODES 1024
#define BITS_OF_LONG (8 * sizeof(unsigned long))

// Of newer kernels than the C library of the client: linux/prctl.h.
enum { GET_SPECULATION = 52, GET_WRITE_EXECUTE = 66, GET_MEMORY_MERGE = 68 };
enum { SPECULATION_L1D_FLUSH = 2 };
enum { CORE = 62, CORE_GET = 0, CORE_OF_THREAD = 0 };

static void describe_root(FILE *out) {
  struct stat root;
  if (stat("/", &root) != 0) memset(&root, 0, sizeof root);
  fprintf(out, "root: %llx:%llx\n", (unsigned long long)root.st_dev,
          (unsigned long long)root.st_ino);
}

// Lines of /proc/thread-self/status; a kernel without one of them never has it.
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

static const char *const links[] = {"cgroup", "ipc",
                                    "mnt",    "net",
                                    "pid",    "pid_for_children",
                                    "time",   "user",
                                    "uts",    "time_for_children",
                                    NULL};

static const struct {
  const char *name;
  int get;
  bool is_written;    // to where the argument points; else it is the result
  bool is_inherited;  // by fork and execve, prctl(2)
} controls[] = {{"dumpable", PR_GET_DUMPABLE, false, false},
                {"keep capabilities", PR_GET_KEEPCAPS, false, false},
                {"secure bits", PR_GET_SECUREBITS, false, true},
                {"timer slack", PR_GET_TIMERSLACK, false, true},
                {"memory failure policy", PR_MCE_KILL_GET, false, true},
                {"huge pages disabled", PR_GET_THP_DISABLE, false, true},
                {"input and output of memory", PR_GET_IO_FLUSHER, false, true},
                {"signal at death of parent", PR_GET_PDEATHSIG, true, false},
                {"time stamp counter", PR_GET_TSC, true, true},
                {"child subreaper", PR_GET_CHILD_SUBREAPER, true, false},
                {"memory to write and execute", GET_WRITE_EXECUTE, false, true},
                {"merged memory", GET_MEMORY_MERGE, false, true}};

// Files below /proc. Who has logged in is what the audit log of the kernel names; those in `attr`
// are labels of security modules.
static const struct {
  const char *name;
  bool is_inherited;
} files[] = {{"thread-self/loginuid", true},        {"thread-self/attr/current", true},
             {"thread-self/attr/exec", false},      {"thread-self/attr/fscreate", false},
             {"thread-self/attr/keycreate", false}, {"thread-self/attr/sockcreate", false},
             {"thread-self/oom_score_adj", true},   {"self/coredump_filter", true}};

// What somebody else may give a process at any time, by control groups and the like: a JVM that has
// other than its clients is not for them, but no run has changed it.
static const char *const given_lines[] = {"Mems_allowed:", NULL};
static const char given_file[] = "thread-self/cpu_resctrl_groups";

static bool is_one_of(const char *line, const char *const *names) {
  for (size_t i = 0; names[i]; i++) {
    if (strncmp(line, names[i], strlen(names[i])) == 0) return true;
  }
  return false;
}

static void describe_status(FILE *out, enum attributes which) {
  FILE *status = fopen("/proc/thread-self/status", "re");
  if (!status) return;
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, status) > 0) {
    bool is_given = which == ATTRIBUTES_INHERITED && is_one_of(line, given_lines);
    if (is_given || is_one_of(line, status_lines)) fputs(line, out);
  }
  free(line);
  fclose(status);
}

// Its first line; a kernel without its module does not let it be read.
static void describe_file(FILE *out, const char *name) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%s", name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  text[length > 0 ? length : 0] = '\0';
  fprintf(out, "%s: %.*s\n", strchr(name, '/') + 1, (int)strcspn(text, "\n"), text);
}

static void describe_memory_policy(FILE *out) {
  int mode = 0;  // MPOL_DEFAULT; the C library of the client has no linux/mempolicy.h
  unsigned long nodes[NUMA_NODES / BITS_OF_LONG] = {0};
  syscall(SYS_get_mempolicy, &mode, nodes, (unsigned long)NUMA_NODES + 1, NULL, 0);
  fprintf(out, "memory policy: %d", mode);
  for (size_t i = 0; i < NUMA_NODES / BITS_OF_LONG; i++) {
    if (nodes[i]) fprintf(out, " %zu:%lx", i, nodes[i]);
  }
  fputc('\n', out);
}

static void describe_scheduling(FILE *out) {
  struct scheduling own;
  unsigned long long cookie = 0;
  scheduling_of(0, &own);
  fprintf(out, "scheduling: policy %u, flags %llx, priority %u, %llu of %llu in %llu ns\n",
          own.policy, (unsigned long long)own.flags, own.priority, (unsigned long long)own.runtime,
          (unsigned long long)own.deadline, (unsigned long long)own.period);
  fprintf(out, "utilization: %u to %u\n", own.utilization_min, own.utilization_max);
  fprintf(out, "priority of input and output: %x\n", own.io_priority);
  // Fails where cores have one thread each.
  prctl(CORE, CORE_GET, 0, CORE_OF_THREAD, &cookie);
  fprintf(out, "shares cores with: %llx\n", cookie);
}

char *attributes_describe(enum attributes which) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  describe_root(out);  // first: without it the others may be gone
  describe_status(out, which);
  for (size_t i = 0; links[i]; i++) {
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/thread-self/ns/%s", links[i]);
    ssize_t length = readlink(path, target, sizeof target);
    fprintf(out, "namespace %s: %.*s\n", links[i], length < 0 ? 0 : (int)length, target);
  }
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (which == ATTRIBUTES_ALL || files[i].is_inherited) describe_file(out, files[i].name);
  }
  for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
    if (which == ATTRIBUTES_INHERITED && !controls[i].is_inherited) continue;
    int value = 0;
    int result = prctl(controls[i].get, controls[i].is_written ? &value : NULL, 0, 0, 0);
    fprintf(out, "%s: %d\n", controls[i].name, controls[i].is_written ? value : result);
  }
  describe_memory_policy(out);
  describe_scheduling(out);
  if (which == ATTRIBUTES_INHERITED) describe_file(out, given_file);
  fprintf(out, "flushed cache: %d\n", prctl(GET_SPECULATION, SPECULATION_L1D_FLUSH, 0, 0, 0));
  fprintf(out, "personality: %x\n", (unsigned)personality(0xffffffff));
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}
