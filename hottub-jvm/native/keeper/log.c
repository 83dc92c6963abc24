// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOG_MAX_BYTES (1024 * 1024)
#define LOG_MAX_DAYS 7

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

struct log_name {
  char text[32];
};

static struct log_name own_name(void) {
  struct log_name name;
  snprintf(name.text, sizeof name.text, "%d.log", (int)getpid());
  return name;
}

void log_remove(const struct keeper *k) { unlinkat(k->pool_dir, own_name().text, 0); }

int log_open(struct keeper *k) {
  remove_old_logs(k->pool_dir);
  k->log = openat(k->pool_dir, own_name().text,
                  O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  return k->log < 0 ? -1 : 0;
}

void log_raw(struct keeper *k, const char *data, size_t length) {
  if (k->log < 0) return;
  if (k->log_bytes + length > LOG_MAX_BYTES) {
    if (length > LOG_MAX_BYTES || ftruncate(k->log, 0) != 0) return;
    k->log_bytes = 0;
  }
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
