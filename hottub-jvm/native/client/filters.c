// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "filters.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cold.h"

enum { MODE_FILTER = 2 };  // SECCOMP_MODE_FILTER

struct filters {
  int mode;
  int count;  // -1: the kernel does not count them
};

static bool filters_of(const char *path, struct filters *out) {
  FILE *status = fopen(path, "re");
  if (!status) return false;
  char line[1024];
  *out = (struct filters){-1, -1};
  while (fgets(line, sizeof line, status)) {
    sscanf(line, "Seccomp: %d", &out->mode);
    sscanf(line, "Seccomp_filters: %d", &out->count);
  }
  fclose(status);
  return out->mode >= 0;
}

// Where /proc is that of another pid namespace, its process 1 is another, too.
static bool proc_is_own(void) {
  char pid[16];
  ssize_t length = readlink("/proc/self", pid, sizeof pid - 1);
  pid[length > 0 ? length : 0] = '\0';
  return atoi(pid) == getpid();
}

void filters_check(void) {
  struct filters own, first;
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != MODE_FILTER) return;
  if (!proc_is_own() || !filters_of("/proc/self/status", &own) ||
      !filters_of("/proc/1/status", &first) || own.mode != first.mode || own.count != first.count) {
    run_cold(COLD_SECCOMP_FILTER);
  }
}
