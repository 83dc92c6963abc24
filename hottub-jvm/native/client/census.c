// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "census.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"
#include "file-state.h"
#include "offers.h"
#include "pool.h"
#include "text.h"

#define LOG_KEPT_SECONDS (24 * 60 * 60)
#define SCAN_MAX_ENTRIES 4096
#define LOCK_NAME "start.lock"
#define LOCK_ABANDONED_SECONDS 10  // it is held for milliseconds

static int open_folder(int at, const char *name, int more) {
  return openat(at, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC | more);
}

// Whether that is the lock of now, and not one that was put aside while we waited for it.
static bool is_lock_of_now(int user_dir, int fd) {
  struct stat ours, now;
  return fstat(fd, &ours) == 0 && fstatat(user_dir, LOCK_NAME, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
         file_is_same(&ours, &now);
}

// Who has it for so long was stopped or frozen in between, and would make every run wait in vain.
// Two owners at once, should it go on: a JVM more than the limit, for a while.
static void put_abandoned_aside(int user_dir, int fd) {
  struct stat info;
  if (is_lock_of_now(user_dir, fd) && fstat(fd, &info) == 0 &&
      time(NULL) - info.st_mtime > LOCK_ABANDONED_SECONDS) {
    unlinkat(user_dir, LOCK_NAME, 0);
  }
}

// Polled, because flock itself knows no deadline and a signal handler would be needed to give it
// one.
static bool await_lock(int fd, int64_t deadline) {
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || monotonic_ms() >= deadline) return false;
    poll(NULL, 0, 1);
  }
  return true;
}

int census_lock(int user_dir, int64_t deadline) {
  do {
    int fd = openat(user_dir, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -1;
    if (!await_lock(fd, deadline)) {
      put_abandoned_aside(user_dir, fd);
      close(fd);
      return -1;
    }
    if (is_lock_of_now(user_dir, fd)) {
      futimens(fd, NULL);  // since when, for put_abandoned_aside
      return fd;
    }
    close(fd);
  } while (monotonic_ms() < deadline);
  return -1;
}

static bool is_socket_name(const char *name) {
  return starts_with(name, POOL_IDLE_PREFIX) || starts_with(name, POOL_BUSY_PREFIX);
}

static bool is_stale(int dir, const char *name) {
  struct stat info;
  return (ends_with(name, ".log") || strcmp(name, POOL_CRASHING) == 0 ||
          strcmp(name, POOL_CONFLICT) == 0) &&
         fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         time(NULL) - info.st_mtime > LOG_KEPT_SECONDS;
}

static bool is_of_dead_keeper(int dir, const char *name) {
  return (starts_with(name, POOL_WORTH_PREFIX) || starts_with(name, POOL_DRAFT_PREFIX)) &&
         !pool_keeper_answers(dir, pool_keeper_of(name));
}

// Asked only where nobody is to be seen, because that wakes the keeper: it may be of another pid
// namespace.
static bool is_deserted(int dir, const char *name) {
  if (pool_keeper_lives(pool_keeper_of(name))) return false;
  int fd = pool_connect(dir, name);
  if (fd < 0) return errno == ECONNREFUSED;
  close(fd);
  return false;
}

static bool is_of_dead_template(int dir, const char *name) {
  return strcmp(name, POOL_TEMPLATE) == 0 && !pool_template(dir);
}

// Whether somebody lives there.
static bool clear_folder(int dir) {
  bool alive = false;
  DIR *folder = fdopendir(open_folder(dir, ".", 0));
  if (!folder) return true;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (is_socket_name(entry->d_name)) {
      if (is_deserted(dir, entry->d_name)) {
        unlinkat(dir, entry->d_name, 0);
      } else {
        alive = true;
      }
    } else if (is_stale(dir, entry->d_name) || is_of_dead_keeper(dir, entry->d_name) ||
               is_of_dead_template(dir, entry->d_name)) {
      unlinkat(dir, entry->d_name, 0);
    }
  }
  closedir(folder);
  return alive;
}

// Nobody listens there any more. Not asked at these sockets: that would be to offer a run.
static void clear_offers(int user_dir, const char *fingerprint, int dir) {
  DIR *folder = offers_open(user_dir, fingerprint);
  if (!folder) return;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (entry->d_name[0] != '.' && !pool_keeper_answers(dir, pool_keeper_of(entry->d_name))) {
      unlinkat(dirfd(folder), entry->d_name, 0);
    }
  }
  closedir(folder);
}

// Adds those of one fingerprint; false if somebody may have one that nobody uses.
static bool count_in_use(int user_dir, const char *fingerprint, int claims, uint32_t *in_use) {
  DIR *folder = offers_open(user_dir, fingerprint);
  if (!folder) return true;
  bool all = true;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && all && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!starts_with(entry->d_name, POOL_OFFER_PREFIX)) continue;
    all = pool_is_claimed(claims, pool_keeper_of(entry->d_name));
    *in_use += all;
  }
  closedir(folder);
  return all;
}

bool census_all_in_use(int user_dir, const struct pool_limits *limits) {
  uint32_t in_use = 0;
  bool all = true;
  DIR *folder = fdopendir(open_folder(user_dir, ".", 0));
  if (!folder) return false;
  int claims = pool_claims_open(user_dir);
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && all && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (pool_is_fingerprint(entry->d_name))
      all = count_in_use(user_dir, entry->d_name, claims, &in_use);
  }
  if (claims >= 0) close(claims);
  closedir(folder);
  return all && in_use >= limits->max_jvms;
}

void census_clear(int user_dir) {
  DIR *folder = fdopendir(open_folder(user_dir, ".", 0));
  if (!folder) return;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!pool_is_fingerprint(entry->d_name)) continue;
    int dir = open_folder(user_dir, entry->d_name, O_NOFOLLOW);
    if (dir < 0) continue;
    bool alive = clear_folder(dir);
    clear_offers(user_dir, entry->d_name, dir);
    if (!alive) unlinkat(dir, POOL_OFFERS, AT_REMOVEDIR);
    close(dir);
    if (!alive) unlinkat(user_dir, entry->d_name, AT_REMOVEDIR);  // fails while a log is in it
  }
  closedir(folder);
}
