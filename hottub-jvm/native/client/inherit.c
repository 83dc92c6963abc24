// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "inherit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cold.h"
#include "file-state.h"
#include "signals.h"
#include "text.h"

extern char **environ;

// More than the kernel says of a file without locks.
#define FDINFO_BYTES 4096

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void take_descriptors(struct inheritance *out) {
  // A closed standard descriptor would be given to the first file that the client, or a JVM, opens.
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) < 0) run_cold(COLD_STDIO_CLOSED);
  }
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) run_cold(COLD_NO_PROC);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    int fd = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || fd == dirfd(folder)) continue;
    if (out->descriptor_count == INHERIT_MAX_DESCRIPTORS) run_cold(COLD_TOO_MANY_DESCRIPTORS);
    out->descriptors[out->descriptor_count++] = fd;
  }
  closedir(folder);
  qsort(out->descriptors, out->descriptor_count, sizeof *out->descriptors, ascending);
}

// A POSIX lock (lockf, F_SETLK) belongs to this process, and ends when the process closes any
// descriptor of the file. A JVM would get the descriptor without it. Other locks go with the open
// file.
static bool has_posix_lock(int fd) {
  char path[64], text[FDINFO_BYTES + 1];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
  int info = open(path, O_RDONLY | O_CLOEXEC);
  if (info < 0) run_cold(COLD_NO_PROC);
  ssize_t length = read(info, text, FDINFO_BYTES);
  close(info);
  text[length < 0 ? 0 : length] = '\0';
  const char *lock = strstr(text, "\nlock:");
  return lock && strstr(lock, ": POSIX ");
}

// Pipes, sockets and terminals are not: most runs have nothing else.
static bool may_be_locked(int fd) {
  struct stat info;
  return fstat(fd, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
}

static void check_locks(const struct inheritance *inheritance) {
  for (size_t i = 0; i < inheritance->descriptor_count; i++) {
    int fd = inheritance->descriptors[i];
    if (may_be_locked(fd) && has_posix_lock(fd)) run_cold(COLD_INHERITED_LOCK);
  }
}

static bool leads_here(const char *path) {
  struct stat here, there;
  return stat(".", &here) == 0 && stat(path, &there) == 0 && file_is_same(&here, &there);
}

void inherit_take(struct inheritance *out) {
  *out = (struct inheritance){0};
  take_descriptors(out);
  check_locks(out);
  char path[PATH_MAX];
  // The kernel writes "(unreachable)" before a directory outside of our root. A file system that
  // has been mounted over ours since is what the JVM would find.
  if (!getcwd(path, sizeof path) || path[0] != '/' || !leads_here(path)) {
    run_cold(COLD_NO_WORKING_DIRECTORY);
  }
  out->cwd = copy_text(path);
}

void inherit_take_signals(struct inheritance *out) {
  out->ignored_signals = signals_ignored() & ~cold_own_ignored();
  out->blocked_signals = signals_blocked();
}

void inherit_into_lease(const struct inheritance *inheritance, struct lease *lease) {
  lease->cwd = inheritance->cwd;
  lease->env.item = environ;
  while (environ[lease->env.count]) lease->env.count++;
  for (int i = 0; i < LEASE_LIMITS; i++) {
    struct rlimit limit;
    if (getrlimit(i, &limit) != 0) run_cold(COLD_NO_LIMITS);
    lease->limits[i] = (struct lease_limit){limit.rlim_cur, limit.rlim_max};
  }
  lease->umask = cold_umask();
  lease->nice = getpriority(PRIO_PROCESS, 0);
  lease->ignored_signals = inheritance->ignored_signals;
  lease->blocked_signals = inheritance->blocked_signals;
}
