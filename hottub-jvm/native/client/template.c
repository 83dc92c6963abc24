// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "template.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "deadline.h"
#include "frame.h"
#include "pool.h"

static int open_folder(int user_dir, const char *fingerprint) {
  return openat(user_dir, fingerprint, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

int32_t template_ask(int user_dir, const char *fingerprint, int connection) {
  int dir = open_folder(user_dir, fingerprint);
  if (dir < 0) return 0;
  int32_t keeper = pool_template(dir);
  char name[32];
  snprintf(name, sizeof name, POOL_BUSY_PREFIX "%d", (int)keeper);
  int fd = pool_connect(dir, name);
  close(dir);
  if (fd < 0) return 0;
  bool asked = frame_write(fd, FRAME_CLONE, NULL, 0, &connection, 1,
                           monotonic_ms() + FRAME_DEADLINE_MS) == 0;
  close(fd);
  if (asked) close(connection);
  return asked ? keeper : 0;
}

bool template_is_there(int user_dir, const char *fingerprint) {
  int dir = open_folder(user_dir, fingerprint);
  if (dir < 0) return false;
  bool is_there = pool_template(dir) > 0;
  close(dir);
  return is_there;
}

void template_forget(int user_dir, const char *fingerprint, int32_t keeper) {
  int dir = open_folder(user_dir, fingerprint);
  if (dir < 0) return;
  if (pool_template(dir) == keeper) unlinkat(dir, POOL_TEMPLATE, 0);
  close(dir);
}
