// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "scarcity.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "endpoint.h"

// At least this part of the machine's memory is to be available.
#define AVAILABLE_PART 20

// At the first look at which it is not, only JVMs end that have been idle for that long; at each
// that follows, those of half that time.
#define LOOK_MS 5000
#define IDLE_LONGEST_MS 60000
#define HALVES_MAX 16

// In kB, as the kernel has it; -1 if it does not say.
static long long value_of(const char *text, const char *name) {
  const char *line = strstr(text, name);
  long long value;
  return line && sscanf(line + strlen(name), " %lld kB", &value) == 1 ? value : -1;
}

static bool is_scarce(void) {
  char text[512];  // the first lines have both
  int fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return false;
  text[length] = '\0';
  long long total = value_of(text, "MemTotal:"), available = value_of(text, "MemAvailable:");
  return total >= 0 && available >= 0 && available < total / AVAILABLE_PART;
}

// A template was used last when a clone was wanted of it, which has put off its deadline.
static int64_t idle_ms(const struct keeper *k) {
  int64_t since =
      k->state == TEMPLATE ? k->deadline - (int64_t)k->limits.idle_seconds * 1000 : k->since;
  int64_t idle = monotonic_ms() - since;
  return idle > 0 ? idle : 0;
}

bool scarcity_ends(struct keeper *k) {
  if ((k->state != IDLE && k->state != TEMPLATE) || monotonic_ms() < k->next_look) return false;
  k->next_look = monotonic_ms() + LOOK_MS;
  if (endpoint_is_lost(k)) return true;
  if (!is_scarce()) {
    k->scarce_looks = 0;
    return false;
  }
  int halves = k->scarce_looks < HALVES_MAX ? k->scarce_looks++ : HALVES_MAX;
  return idle_ms(k) >= IDLE_LONGEST_MS >> halves;
}
