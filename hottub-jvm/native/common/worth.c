// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "worth.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool.h"

#define WORTH_MAX_BYTES 256

struct name {
  char text[32];
};

static struct name name_of(const char *prefix, int32_t keeper) {
  struct name name;
  snprintf(name.text, sizeof name.text, "%s%d", prefix, (int)keeper);
  return name;
}

bool worth_write(int folder, int32_t keeper, const struct worth *worth) {
  struct name draft = name_of(POOL_DRAFT_PREFIX, keeper);
  char text[WORTH_MAX_BYTES];
  int length = snprintf(text, sizeof text, "leases %u\nmemory_kb %u\nsince_ms %lld\nkept_ms %lld\n",
                        worth->leases, worth->memory_kb, (long long)worth->since_ms,
                        (long long)worth->kept_ms);
  return pool_replace(folder, name_of(POOL_WORTH_PREFIX, keeper).text, draft.text, text,
                      (size_t)length);
}

static void read_line(const char *line, struct worth *worth) {
  char key[32], digits[19];
  if (sscanf(line, "%31s %18[0-9]", key, digits) != 2) return;
  int64_t value = strtoll(digits, NULL, 10);
  uint32_t small = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
  if (strcmp(key, "leases") == 0) worth->leases = small;
  if (strcmp(key, "memory_kb") == 0) worth->memory_kb = small;
  if (strcmp(key, "since_ms") == 0) worth->since_ms = value;
  if (strcmp(key, "kept_ms") == 0) worth->kept_ms = value;
}

bool worth_read(int folder, int32_t keeper, struct worth *worth) {
  *worth = (struct worth){0};
  int fd = openat(folder, name_of(POOL_WORTH_PREFIX, keeper).text,
                  O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  char text[WORTH_MAX_BYTES + 1];
  ssize_t length = read(fd, text, WORTH_MAX_BYTES);
  close(fd);
  text[length > 0 ? length : 0] = '\0';
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    read_line(line, worth);
  }
  return true;
}

bool worth_remove(int folder, int32_t keeper) {
  return unlinkat(folder, name_of(POOL_WORTH_PREFIX, keeper).text, 0) == 0;
}
