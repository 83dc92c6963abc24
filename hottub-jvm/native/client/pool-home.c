// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "pool-home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cold.h"
#include "deadline.h"
#include "pool.h"
#include "text.h"

#define LOG_KEPT_SECONDS (24 * 60 * 60)
#define SCAN_MAX_ENTRIES 4096

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

// -1: not here, and the next place may be tried. Runs cold if it is here and unsafe.
static int open_user_folder(int root_dir) {
  if (root_dir < 0) return -1;
  struct stat info;
  if (fstat(root_dir, &info) != 0 || !is_safe_root(&info)) run_cold(COLD_POOL_DIRECTORY_UNSAFE);
  char name[16];
  snprintf(name, sizeof name, "%u", geteuid());
  int dir = open_or_make_folder(root_dir, name, O_NOFOLLOW);
  int saved = errno;
  close(root_dir);
  if (dir < 0 && saved == ENOENT) return -1;
  if (dir < 0 || fstat(dir, &info) != 0 || !is_own_and_closed(&info)) {
    run_cold(COLD_POOL_DIRECTORY_UNSAFE);
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

int pool_home_peek(void) {
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

static int open_and_make(const char *root) {
  return open_user_folder(open_or_make_folder(AT_FDCWD, root, 0));
}

int pool_home_open(void) {
  const char *chosen = getenv("HOTTUB_DIR");
  int dir;
  if (chosen && *chosen) {
    dir = open_and_make(chosen);
  } else {
    dir = open_user_folder(open_folder(AT_FDCWD, "/run/hottub", 0));
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (dir < 0 && runtime && *runtime == '/') dir = open_and_make(join_text(runtime, "/hottub"));
    if (dir < 0) {
      char path[64];
      snprintf(path, sizeof path, "/run/user/%u/hottub", geteuid());
      dir = open_and_make(path);
    }
  }
  if (dir < 0) run_cold(COLD_NO_POOL_DIRECTORY);
  return dir;
}

int pool_home_lock(int user_dir, int64_t deadline) {
  int fd = openat(user_dir, "start.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return -1;
  // Polled, because flock itself knows no deadline and a signal handler would be needed to give it
  // one.
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || monotonic_ms() >= deadline) {
      close(fd);
      return -1;
    }
    poll(NULL, 0, 1);
  }
  return fd;
}

static bool is_socket_name(const char *name) {
  return starts_with(name, POOL_IDLE_PREFIX) || starts_with(name, POOL_BUSY_PREFIX);
}

int32_t pool_home_keeper(const char *name) { return atoi(name + strlen(POOL_OFFER_PREFIX)); }

// Without asking it. The number of a dead one may belong to another process by now.
static bool is_living_keeper(const char *name) {
  char link[64], program[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)pool_home_keeper(name));
  ssize_t length = readlink(link, program, PATH_MAX);
  if (length < 0) return false;
  program[length] = '\0';
  return ends_with(program, "/keeper");
}

// The folder of a fingerprint where runs are offered, or NULL.
static DIR *open_offers(int user_dir, const char *fingerprint) {
  char name[POOL_FINGERPRINT_CHARS + 16];
  snprintf(name, sizeof name, "%s/" POOL_OFFERS, fingerprint);
  return fdopendir(open_folder(user_dir, name, O_NOFOLLOW));
}

static uint32_t count_living(int user_dir, const char *fingerprint, int claims) {
  uint32_t alive = 0;
  DIR *folder = open_offers(user_dir, fingerprint);
  if (!folder) return 0;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!starts_with(entry->d_name, POOL_OFFER_PREFIX)) continue;
    // The lock costs less to ask than the process, and where there are many clients it is held.
    if (pool_is_claimed(claims, pool_home_keeper(entry->d_name)) ||
        is_living_keeper(entry->d_name)) {
      alive++;
    }
  }
  closedir(folder);
  return alive;
}

static bool is_stale(int dir, const char *name) {
  struct stat info;
  return (ends_with(name, ".log") || strcmp(name, POOL_CRASHING) == 0) &&
         fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         time(NULL) - info.st_mtime > LOG_KEPT_SECONDS;
}

static uint32_t count_folder(int dir) {
  uint32_t alive = 0;
  DIR *folder = fdopendir(open_folder(dir, ".", 0));
  if (!folder) return 0;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (is_socket_name(entry->d_name)) {
      int fd = pool_connect(dir, entry->d_name);
      if (fd >= 0) close(fd);
      if (fd < 0 && errno == ECONNREFUSED) {
        unlinkat(dir, entry->d_name, 0);
      } else {
        alive++;
      }
    } else if (is_stale(dir, entry->d_name)) {
      unlinkat(dir, entry->d_name, 0);
    }
  }
  closedir(folder);
  return alive;
}

// Nobody listens there any more; to ask would be to offer a run, or to wake a keeper.
static void clear_offers(int user_dir, const char *fingerprint) {
  DIR *folder = open_offers(user_dir, fingerprint);
  if (!folder) return;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (entry->d_name[0] != '.' && !is_living_keeper(entry->d_name)) {
      unlinkat(dirfd(folder), entry->d_name, 0);
    }
  }
  closedir(folder);
}

static bool is_fingerprint(const char *name) {
  return strlen(name) == POOL_FINGERPRINT_CHARS &&
         strspn(name, "0123456789abcdef") == POOL_FINGERPRINT_CHARS;
}

static uint32_t count_others(int user_dir, const char *fingerprint, int claims) {
  uint32_t jvms = 0;
  DIR *folder = fdopendir(open_folder(user_dir, ".", 0));
  if (!folder) return 0;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (is_fingerprint(entry->d_name) && strcmp(entry->d_name, fingerprint) != 0) {
      jvms += count_living(user_dir, entry->d_name, claims);
    }
  }
  closedir(folder);
  return jvms;
}

bool pool_home_seems_full(int user_dir, const char *fingerprint, const struct pool_limits *limits) {
  int claims = pool_claims_open(user_dir);
  uint32_t same_kind = count_living(user_dir, fingerprint, claims), jvms = same_kind;
  bool full = jvms >= limits->max_jvms || same_kind >= limits->max_jvms_per_fingerprint;
  if (!full) jvms += count_others(user_dir, fingerprint, claims);
  if (claims >= 0) close(claims);
  return full || jvms >= limits->max_jvms;
}

// Adds those of one fingerprint; false if somebody may have one that nobody uses.
static bool count_in_use(int user_dir, const char *fingerprint, int claims, uint32_t *in_use) {
  DIR *folder = open_offers(user_dir, fingerprint);
  if (!folder) return true;
  bool all = true;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && all && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!starts_with(entry->d_name, POOL_OFFER_PREFIX)) continue;
    all = pool_is_claimed(claims, pool_home_keeper(entry->d_name));
    *in_use += all;
  }
  closedir(folder);
  return all;
}

bool pool_home_all_in_use(int user_dir, const struct pool_limits *limits) {
  uint32_t in_use = 0;
  bool all = true;
  DIR *folder = fdopendir(open_folder(user_dir, ".", 0));
  if (!folder) return false;
  int claims = pool_claims_open(user_dir);
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && all && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (is_fingerprint(entry->d_name)) all = count_in_use(user_dir, entry->d_name, claims, &in_use);
  }
  if (claims >= 0) close(claims);
  closedir(folder);
  return all && in_use >= limits->max_jvms;
}

void pool_home_census(int user_dir, const char *fingerprint, struct pool_census *census) {
  *census = (struct pool_census){0};
  DIR *folder = fdopendir(open_folder(user_dir, ".", 0));
  if (!folder) return;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!is_fingerprint(entry->d_name)) continue;
    int dir = open_folder(user_dir, entry->d_name, O_NOFOLLOW);
    if (dir < 0) continue;
    uint32_t alive = count_folder(dir);
    clear_offers(user_dir, entry->d_name);
    if (alive == 0) unlinkat(dir, POOL_OFFERS, AT_REMOVEDIR);
    close(dir);
    census->jvms += alive;
    if (strcmp(entry->d_name, fingerprint) == 0) census->same_kind = alive;
    if (alive == 0) unlinkat(user_dir, entry->d_name, AT_REMOVEDIR);  // fails while a log is in it
  }
  closedir(folder);
}

struct idle {
  char *name;
  struct timespec used;
};

static int last_used_first(const void *a, const void *b) {
  const struct timespec *one = &((const struct idle *)a)->used;
  const struct timespec *other = &((const struct idle *)b)->used;
  if (one->tv_sec != other->tv_sec) return one->tv_sec < other->tv_sec ? 1 : -1;
  return (one->tv_nsec < other->tv_nsec) - (one->tv_nsec > other->tv_nsec);
}

int pool_home_offers(int user_dir, const char *fingerprint, int claims, struct list *names) {
  struct idle found[64];
  size_t count = 0;
  DIR *folder = open_offers(user_dir, fingerprint);
  if (!folder) return -1;
  int dir = fcntl(dirfd(folder), F_DUPFD_CLOEXEC, 0);
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    struct stat info;
    if (count == sizeof found / sizeof *found) break;
    if (!starts_with(entry->d_name, POOL_OFFER_PREFIX)) continue;
    if (pool_is_claimed(claims, pool_home_keeper(entry->d_name))) continue;
    if (fstatat(dir, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    // The keeper sets this time when its JVM becomes idle. The one used last is the warmest, and
    // the others may time out.
    found[count++] = (struct idle){copy_text(entry->d_name), info.st_mtim};
  }
  closedir(folder);
  qsort(found, count, sizeof *found, last_used_first);
  for (size_t i = 0; i < count; i++) list_add(names, found[i].name);
  return dir;
}

bool pool_home_wake(int offers, const char *name) {
  char wake[32];
  snprintf(wake, sizeof wake, POOL_WAKE_PREFIX "%d", (int)pool_home_keeper(name));
  int fd = pool_connect(offers, wake);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
