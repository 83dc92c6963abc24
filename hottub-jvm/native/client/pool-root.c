// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "pool-root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_folder(int at, const char *name, int more) {
  return openat(at, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC | more);
}

// Makes it only where it is missing: that locks the folder above it, for which others wait.
static int open_or_make_folder(int at, const char *name, int more) {
  int dir = open_folder(at, name, more);
  if (dir >= 0 || errno != ENOENT) return dir;
  mkdirat(at, name, 0700);  // its result is what the next call finds
  return open_folder(at, name, more);
}

// Nobody else may be able to exchange a folder in it: it is ours or root's, and if others may
// write, it is sticky.
static bool is_safe_root(const struct stat *info) {
  if (info->st_uid != 0 && info->st_uid != geteuid()) return false;
  return !(info->st_mode & 022) || (info->st_mode & S_ISVTX);
}

static bool is_own_and_closed(const struct stat *info) {
  return info->st_uid == geteuid() && !(info->st_mode & 077);
}

// -1: not here, and the next place may be tried, unless it is here and unsafe, which *why says.
static int open_user_folder(int root_dir, enum cold_reason *why) {
  if (root_dir < 0) return -1;
  struct stat info;
  if (fstat(root_dir, &info) != 0 || !is_safe_root(&info)) {
    close(root_dir);
    *why = COLD_POOL_DIRECTORY_UNSAFE;
    return -1;
  }
  char name[16];
  snprintf(name, sizeof name, "%u", geteuid());
  int dir = open_or_make_folder(root_dir, name, O_NOFOLLOW);
  int saved = errno;
  close(root_dir);
  if (dir < 0 && saved == ENOENT) return -1;
  if (dir < 0 || fstat(dir, &info) != 0 || !is_own_and_closed(&info)) {
    if (dir >= 0) close(dir);
    *why = COLD_POOL_DIRECTORY_UNSAFE;
    return -1;
  }
  return dir;
}

static int peek(const char *root) {
  struct stat info;
  char name[16];
  int root_dir = open_folder(AT_FDCWD, root, 0);
  if (root_dir < 0) return -1;
  snprintf(name, sizeof name, "%u", geteuid());
  int dir = fstat(root_dir, &info) == 0 && is_safe_root(&info)
                ? open_folder(root_dir, name, O_NOFOLLOW)
                : -1;
  close(root_dir);
  if (dir >= 0 && (fstat(dir, &info) != 0 || !is_own_and_closed(&info))) {
    close(dir);
    return -1;
  }
  return dir;
}

int pool_root_peek(void) {
  const char *chosen = getenv("HOTTUB_DIR"), *runtime = getenv("XDG_RUNTIME_DIR");
  if (chosen && *chosen) return peek(chosen);
  char path[PATH_MAX];
  int dir = peek("/run/hottub");
  if (dir < 0 && runtime && *runtime == '/') {
    snprintf(path, sizeof path, "%s/hottub", runtime);
    dir = peek(path);
  }
  if (dir >= 0) return dir;
  snprintf(path, sizeof path, "/run/user/%u/hottub", geteuid());
  return peek(path);
}

static int open_and_make(const char *root, enum cold_reason *why) {
  return open_user_folder(open_or_make_folder(AT_FDCWD, root, 0), why);
}

static int open_first(enum cold_reason *why) {
  const char *chosen = getenv("HOTTUB_DIR"), *runtime = getenv("XDG_RUNTIME_DIR");
  if (chosen && *chosen) return open_and_make(chosen, why);
  char path[PATH_MAX];
  int dir = open_user_folder(open_folder(AT_FDCWD, "/run/hottub", 0), why);
  if (dir < 0 && *why == COLD_NONE && runtime && *runtime == '/' &&
      snprintf(path, sizeof path, "%s/hottub", runtime) < PATH_MAX) {
    dir = open_and_make(path, why);
  }
  if (dir >= 0 || *why != COLD_NONE) return dir;
  snprintf(path, sizeof path, "/run/user/%u/hottub", geteuid());
  return open_and_make(path, why);
}

int pool_root_open(enum cold_reason *why) {
  *why = COLD_NONE;
  int dir = open_first(why);
  if (dir < 0 && *why == COLD_NONE) *why = COLD_NO_POOL_DIRECTORY;
  return dir;
}
