// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "template.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "frame.h"
#include "pool.h"

bool clone_of_template(int user_dir, const char *fingerprint, int connection) {
  int dir = openat(user_dir, fingerprint, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (dir < 0) return false;
  char name[32];
  snprintf(name, sizeof name, POOL_BUSY_PREFIX "%d", (int)pool_template(dir));
  int fd = pool_connect(dir, name);
  close(dir);
  if (fd < 0) return false;
  bool asked = frame_write(fd, FRAME_CLONE, NULL, 0, &connection, 1,
                           monotonic_ms() + FRAME_DEADLINE_MS) == 0;
  close(fd);
  if (asked) close(connection);
  return asked;
}
