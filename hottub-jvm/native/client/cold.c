// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "cold.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"
#include "trace.h"

// What the kernel adds to the name of a file that somebody has replaced.
#define DELETED " (deleted)"

static char **original_argv;
static char home[PATH_MAX];
static const struct tool *tool;
static uint64_t original_mask;
static bool mask_is_ours;
static uint64_t own_ignored;
static mode_t original_umask;

// What the client makes in the pool is to be its own, whatever the caller takes away.
#define OWN_RIGHTS 0700

static void keep_own_rights(void) {
  original_umask = umask(0);
  umask(original_umask & ~(mode_t)OWN_RIGHTS);
}

// A limit of files (ulimit -f) is one of the run: journal and trace may be longer.
static void ignore_file_limit(void) {
  if (signals_ignored() & signals_bit(SIGXFSZ)) return;
  signals_ignore(SIGXFSZ);
  own_ignored = signals_bit(SIGXFSZ);
}

void cold_prepare(char **argv) {
  original_argv = argv;
  ignore_file_limit();
  keep_own_rights();
  ssize_t length = readlink("/proc/self/exe", home, sizeof home - 1);
  home[length > 0 ? length : 0] = '\0';
  ssize_t rest = length - (ssize_t)strlen(DELETED);
  if (rest > 0 && strcmp(home + rest, DELETED) == 0) home[rest] = '\0';
  // <home>/bin/java -> <home>
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(home, '/');
    if (!slash || slash == home) {
      fprintf(stderr, "Error: /proc/self/exe does not lead to a HotTub home; is /proc mounted?\n");
      exit(2);
    }
    *slash = '\0';
    if (i == 0) tool = tool_named(slash + 1);
  }
}

const char *cold_home(void) { return home; }

void cold_hide_command(const char *name) {
  prctl(PR_SET_NAME, name);
  for (char **argument = original_argv; *argument; argument++) {
    memset(*argument, 0, strlen(*argument));
  }
}

const struct tool *cold_tool(void) { return tool; }

uint64_t cold_own_ignored(void) { return own_ignored; }

mode_t cold_umask(void) { return original_umask; }

void cold_restore_mask(uint64_t mask) {
  original_mask = mask;
  mask_is_ours = true;
}

void run_cold(enum cold_reason reason) {
  char launcher[PATH_MAX + 16];
  snprintf(launcher, sizeof launcher, "%s/bin/%s-cold", home, tool ? tool->name : "java");
  trace_cold(reason);
  if (mask_is_ours) signals_block(original_mask);
  if (own_ignored) signals_default(SIGXFSZ);
  umask(original_umask);
  execv(launcher, original_argv);
  fprintf(stderr, "Error: cannot execute %s: %s; the HotTub home is incomplete, install it again\n",
          launcher, strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}
