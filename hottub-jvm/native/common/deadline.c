// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "deadline.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <time.h>

int64_t monotonic_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t monotonic_ms(void) { return monotonic_us() / 1000; }

int64_t wall_clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int deadline_poll_ms(int64_t deadline) {
  if (deadline == DEADLINE_NONE) return -1;
  int64_t left = deadline - monotonic_ms();
  if (left <= 0) return 0;
  return left > INT_MAX ? INT_MAX : (int)left;
}

int deadline_wait(int fd, short events, int64_t deadline) {
  struct pollfd entry = {.fd = fd, .events = events};
  for (;;) {
    int ready = poll(&entry, 1, deadline_poll_ms(deadline));
    if (ready >= 0) return ready;
    if (errno != EINTR) return -1;
  }
}
