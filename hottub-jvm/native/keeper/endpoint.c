// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "keeper.h"

#define LOG_MAX_BYTES (1024 * 1024)
#define LOG_MAX_DAYS 7

// The name of a socket of this keeper.
struct name {
  char text[32];
};

static struct name name_of(const char *prefix) {
  struct name name;
  snprintf(name.text, sizeof name.text, "%s%d", prefix, (int)getpid());
  return name;
}

static const char *shown_prefix(bool idle) { return idle ? POOL_IDLE_PREFIX : POOL_BUSY_PREFIX; }

static void remove_socket(int dir, const char *prefix) { unlinkat(dir, name_of(prefix).text, 0); }

static int listen_for(int dir, const char *prefix) {
  remove_socket(dir, prefix);  // of our pid it can only be left over from a dead keeper
  return pool_listen(dir, name_of(prefix).text);
}

static bool ends_with(const char *name, const char *end) {
  size_t length = strlen(name), end_length = strlen(end);
  return length > end_length && strcmp(name + length - end_length, end) == 0;
}

// Logs of former keepers, and reports of their JVMs' crashes.
static void remove_old_logs(int folder) {
  int own = openat(folder, ".", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  DIR *entries = own < 0 ? NULL : fdopendir(own);
  if (!entries) return;
  struct dirent *entry;
  while ((entry = readdir(entries))) {
    struct stat file;
    if (ends_with(entry->d_name, ".log") &&
        fstatat(folder, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode) &&
        file.st_mtime < time(NULL) - LOG_MAX_DAYS * 24 * 60 * 60) {
      unlinkat(folder, entry->d_name, 0);
    }
  }
  closedir(entries);
}

int endpoint_open(struct keeper *k) {
  if (mkdirat(k->user_dir, k->fingerprint, 0700) != 0 && errno != EEXIST) return -1;
  k->pool_dir =
      openat(k->user_dir, k->fingerprint, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  // The JVM rests there, so that this is where the report of a crash between runs goes.
  if (k->pool_dir < 0 || fchdir(k->pool_dir) != 0) return -1;
  remove_old_logs(k->pool_dir);

  char name[32];
  snprintf(name, sizeof name, "%d.log", (int)getpid());
  k->log = openat(k->pool_dir, name,
                  O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (k->log < 0) return -1;

  // Clients read a folder of its own, where nothing is ever renamed: a rename waits for those who
  // are reading, and others who want to read wait behind it.
  if (mkdirat(k->pool_dir, POOL_OFFERS, 0700) != 0 && errno != EEXIST) return -1;
  k->offers_dir = openat(k->pool_dir, POOL_OFFERS, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (k->offers_dir < 0) return -1;

  k->claims = pool_claims_open(k->user_dir);
  if (!endpoint_claim(k)) {  // by a client that takes us for a dead keeper of our pid
    errno = EAGAIN;
    return -1;
  }
  remove_socket(k->pool_dir, POOL_IDLE_PREFIX);
  k->wake = listen_for(k->offers_dir, POOL_WAKE_PREFIX);
  k->offers = listen_for(k->offers_dir, POOL_OFFER_PREFIX);
  k->listener = listen_for(k->pool_dir, POOL_BUSY_PREFIX);
  return k->wake < 0 || k->offers < 0 || k->listener < 0 ? -1 : 0;
}

bool endpoint_claim(struct keeper *k) { return pool_claim(k->claims, getpid()); }

static void release_claim(struct keeper *k) {
  if (k->run_claim >= 0) close(k->run_claim);
  k->run_claim = -1;
  pool_unclaim(k->claims, getpid());
}

static void rename_socket(struct keeper *k, bool idle) {
  if (k->shown_idle == idle) return;
  struct name from = name_of(shown_prefix(k->shown_idle)), to = name_of(shown_prefix(idle));
  if (renameat(k->pool_dir, from.text, k->pool_dir, to.text) != 0) {
    // Nobody can reach us any more. The lease, if there is one, may end in peace.
    log_line(k, "cannot rename socket %s: %s; retiring after the lease", from.text,
             strerror(errno));
    k->retire_after_lease = true;
    k->retire_reason = RETIRED_SOCKET_LOST;
  }
  k->shown_idle = idle;
}

void endpoint_show(struct keeper *k, bool idle) {
  rename_socket(k, idle);
  if (!idle) return;
  // Clients take the one used last.
  utimensat(k->offers_dir, name_of(POOL_OFFER_PREFIX).text, NULL, AT_SYMLINK_NOFOLLOW);
  release_claim(k);
}

void endpoint_remove(struct keeper *k) {
  remove_socket(k->pool_dir, shown_prefix(k->shown_idle));
  remove_socket(k->offers_dir, POOL_OFFER_PREFIX);
  remove_socket(k->offers_dir, POOL_WAKE_PREFIX);
}

void log_raw(struct keeper *k, const char *data, size_t length) {
  if (k->log < 0) return;
  if (k->log_bytes + length > LOG_MAX_BYTES) {
    if (length > LOG_MAX_BYTES || ftruncate(k->log, 0) != 0) return;
    k->log_bytes = 0;
  }
  // A log that cannot be written must not disturb a run.
  ssize_t wrote = write(k->log, data, length);
  if (wrote > 0) k->log_bytes += (size_t)wrote;
}

void log_line(struct keeper *k, const char *format, ...) {
  char line[1024];
  struct timespec now;
  struct tm utc;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  size_t length = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%S", &utc);
  length += (size_t)snprintf(line + length, sizeof line - length,
                             ".%03ldZ keeper: ", now.tv_nsec / 1000000);
  va_list list;
  va_start(list, format);
  int added = vsnprintf(line + length, sizeof line - length, format, list);
  va_end(list);
  if (added < 0) return;
  length += (size_t)added;
  if (length > sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  log_raw(k, line, length);
}
