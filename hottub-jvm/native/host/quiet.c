// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "quiet.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"

enum {
  SAMPLE_MS = 10,
  SAMPLES = 10,  // so many in a row
  // What the VM's timers use in that time is far less, a method that is compiled more.
  REST_US = 5000,
};

static int64_t used_us(clockid_t clock) {
  struct timespec used;
  clock_gettime(clock, &used);
  return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static int64_t others_us(void) {
  return used_us(CLOCK_PROCESS_CPUTIME_ID) - used_us(CLOCK_THREAD_CPUTIME_ID);
}

static char state_of(int tasks, const char *id) {
  char path[300], text[128];
  snprintf(path, sizeof path, "%s/stat", id);
  int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 'X';  // it has ended
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  text[length < 0 ? 0 : length] = '\0';
  const char *end = strrchr(text, ')');
  return end && end[1] ? end[2] : 'X';
}

// One that is ready but has no processor has something to do, too.
static bool others_sleep(void) {
  char own[16];
  snprintf(own, sizeof own, "%d", (int)syscall(SYS_gettid));
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  bool sleep = true;
  for (struct dirent *task; sleep && (task = readdir(tasks));) {
    if (task->d_name[0] == '.' || strcmp(task->d_name, own) == 0) continue;
    char state = state_of(dirfd(tasks), task->d_name);
    sleep = state != 'R' && state != 'D';
  }
  closedir(tasks);
  return sleep;
}

bool quiet_await(int64_t longest_ms) {
  const struct timespec sample = {.tv_nsec = SAMPLE_MS * 1000000l};
  int64_t until = monotonic_ms() + longest_ms, since_us = others_us();
  for (int quiet = 0; monotonic_ms() < until;) {
    nanosleep(&sample, NULL);
    if (!others_sleep()) quiet = 0;
    if (quiet == 0) since_us = others_us();
    if (++quiet <= SAMPLES) continue;
    if (others_us() - since_us < REST_US) return true;
    quiet = 0;
  }
  return false;
}
