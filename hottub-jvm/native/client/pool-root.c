// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "pool-root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UID_CHARS 16

static void own_uid(char text[UID_CHARS]) { snprintf(text, UID_CHARS, "%u", geteuid()); }

static int open_folder(int at, const char *name, int more) {
  return openat(at, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC | more);
}

// Nobody else may be able to exchange a folder in it: it is ours or root's, and if others may
// write, it is sticky.
static bool is_safe_root(int dir) {
  struct stat info;
  if (fstat(dir, &info) != 0 || (info.st_uid != 0 && info.st_uid != geteuid())) return false;
  return !(info.st_mode & 022) || (info.st_mode & S_ISVTX);
}

// Whoever may write there can make a folder of any name.
static bool is_of_another(int dir, const char *name) {
  struct stat info;
  return fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_uid != geteuid();
}

static bool is_own_and_closed(int dir) {
  struct stat info;
  return fstat(dir, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & 0777) == 0700;
}

// What is left of a login that is over, or that of somebody else after su, is not ours to use.
static bool is_runtime_folder(const char *path) {
  struct stat info;
  return path[0] == '/' && stat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == geteuid() && !(info.st_mode & 022);
}

static void close_root(struct root *root) {
  if (root->dir >= 0) close(root->dir);
  if (root->user_dir >= 0) close(root->user_dir);
  root->dir = root->user_dir = -1;
}

static bool may_make(const char *path) {
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  char *slash = strrchr(parent, '/');
  slash[slash == parent] = '\0';
  return access(parent, W_OK | X_OK) == 0;
}

// COLD_NO_POOL_DIRECTORY, or root->is_taken: not here, and the next place may be tried.
static enum cold_reason look(struct root *root) {
  char name[UID_CHARS];
  own_uid(name);
  root->user_dir = -1;
  root->is_taken = false;
  root->dir = open_folder(AT_FDCWD, root->path, 0);
  if (root->dir < 0) {
    return errno == ENOENT && may_make(root->path) ? COLD_NONE : COLD_NO_POOL_DIRECTORY;
  }
  enum cold_reason reason = COLD_POOL_DIRECTORY_UNSAFE;
  if (is_safe_root(root->dir)) {
    root->user_dir = open_folder(root->dir, name, O_NOFOLLOW);
    bool is_missing = root->user_dir < 0 && errno == ENOENT;
    if (is_missing) {
      reason = access(root->path, W_OK | X_OK) == 0 ? COLD_NONE : COLD_NO_POOL_DIRECTORY;
    } else if (root->user_dir >= 0 && is_own_and_closed(root->user_dir)) {
      reason = COLD_NONE;
    } else {
      root->is_taken = is_of_another(root->dir, name);
    }
  }
  if (reason != COLD_NONE) close_root(root);
  return reason;
}

static enum cold_reason look_in(struct root *root, const char *folder, const char *name,
                                unsigned mode) {
  int length = snprintf(root->path, sizeof root->path, "%s%s", folder, name);
  if (length >= (int)sizeof root->path) return COLD_NO_POOL_DIRECTORY;
  while (length > 1 && root->path[length - 1] == '/') root->path[--length] = '\0';
  root->mode = mode;
  return look(root);
}

// In the folder of a login. What somebody else has taken is the reason if no place is better.
static enum cold_reason look_further(struct root *root, enum cold_reason reason,
                                     const char *folder) {
  bool was_taken = root->is_taken;
  if (reason != COLD_NO_POOL_DIRECTORY && !was_taken) return reason;
  if (!is_runtime_folder(folder)) return reason;
  reason = look_in(root, folder, "/hottub", 0700);
  if (reason != COLD_NO_POOL_DIRECTORY || !was_taken) return reason;
  root->is_taken = true;
  return COLD_POOL_DIRECTORY_UNSAFE;
}

enum cold_reason root_find(const struct root_places *places, struct root *root) {
  char name[UID_CHARS], own[PATH_MAX];
  *root = (struct root){.dir = -1, .user_dir = -1};
  if (places->chosen && *places->chosen) {
    return places->chosen[0] == '/' ? look_in(root, places->chosen, "", 0700)
                                    : COLD_NO_POOL_DIRECTORY;
  }
  enum cold_reason reason = look_in(root, places->system, "", 0755);
  if (places->runtime) reason = look_further(root, reason, places->runtime);
  own_uid(name);
  snprintf(own, sizeof own, "%s/%s", places->users, name);
  return look_further(root, reason, own);
}

enum cold_reason root_make(struct root *root) {
  char name[UID_CHARS];
  own_uid(name);
  // The result of making is what opening finds: another client may have been first.
  if (root->dir < 0) {
    mkdir(root->path, root->mode);
    root->dir = open_folder(AT_FDCWD, root->path, 0);
  }
  if (root->dir < 0) return COLD_NO_POOL_DIRECTORY;
  enum cold_reason reason = COLD_NONE;
  if (!is_safe_root(root->dir)) {
    reason = COLD_POOL_DIRECTORY_UNSAFE;
  } else if (root->user_dir < 0) {
    mkdirat(root->dir, name, 0700);
    root->user_dir = open_folder(root->dir, name, O_NOFOLLOW);
    bool is_missing = root->user_dir < 0 && errno == ENOENT;
    if (is_missing) {
      reason = COLD_NO_POOL_DIRECTORY;
    } else if (root->user_dir < 0 || !is_own_and_closed(root->user_dir)) {
      reason = COLD_POOL_DIRECTORY_UNSAFE;
    }
  }
  if (reason != COLD_NONE && root->user_dir >= 0) {
    close(root->user_dir);
    root->user_dir = -1;
  }
  close(root->dir);
  root->dir = -1;
  return reason;
}

static struct root_places places_of_process(void) {
  return (struct root_places){.system = "/run/hottub",
                              .users = "/run/user",
                              .chosen = getenv("HOTTUB_DIR"),
                              .runtime = getenv("XDG_RUNTIME_DIR")};
}

int pool_root_open(enum cold_reason *why) {
  struct root root;
  struct root_places places = places_of_process();
  *why = root_find(&places, &root);
  if (*why == COLD_NONE) *why = root_make(&root);
  return root.user_dir;
}

int pool_root_peek(void) {
  struct root root;
  struct root_places places = places_of_process();
  if (root_find(&places, &root) == COLD_NONE && root.dir >= 0) close(root.dir);
  return root.user_dir;
}
