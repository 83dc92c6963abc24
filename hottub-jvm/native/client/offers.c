// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "offers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pool.h"

#define SCAN_MAX_ENTRIES 4096

DIR *offers_open(int user_dir, const char *fingerprint) {
  char name[POOL_FINGERPRINT_CHARS + 16];
  snprintf(name, sizeof name, "%s/" POOL_OFFERS, fingerprint);
  return fdopendir(openat(user_dir, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
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

int offers_list(int user_dir, const char *fingerprint, int claims, struct list *names) {
  struct idle found[64];
  size_t count = 0;
  DIR *folder = offers_open(user_dir, fingerprint);
  if (!folder) return -1;
  int dir = fcntl(dirfd(folder), F_DUPFD_CLOEXEC, 0);
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    struct stat info;
    if (count == sizeof found / sizeof *found) break;
    if (!starts_with(entry->d_name, POOL_OFFER_PREFIX)) continue;
    if (pool_is_claimed(claims, pool_keeper_of(entry->d_name))) continue;
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

bool offers_wake(int offers, const char *name) {
  char wake[32];
  snprintf(wake, sizeof wake, POOL_WAKE_PREFIX "%d", (int)pool_keeper_of(name));
  int fd = pool_connect(offers, wake);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
