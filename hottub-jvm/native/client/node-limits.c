// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "node-limits.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "limits"
#define MAX_BYTES 1024

// "max_jvms 8,idle_seconds 900": each becomes a line. False if it is none of ours.
static bool lines_of(const char *given, char text[MAX_BYTES + 2]) {
  size_t length = strlen(given);
  if (length == 0 || length > MAX_BYTES) return false;
  if (strspn(given, "abcdefghijklmnopqrstuvwxyz_0123456789 ,") != length) return false;
  for (size_t i = 0; i <= length; i++) text[i] = given[i] == ',' ? '\n' : given[i];
  text[length] = '\n';
  text[length + 1] = '\0';
  return true;
}

static bool are_there(int user_dir, const char *text) {
  char now[MAX_BYTES + 2];
  int fd = openat(user_dir, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  ssize_t length = read(fd, now, sizeof now);
  close(fd);
  return length == (ssize_t)strlen(text) && memcmp(now, text, (size_t)length) == 0;
}

void node_limits_put(int user_dir) {
  const char *given = getenv("HOTTUB_LIMITS");
  char text[MAX_BYTES + 2], draft[32];
  if (!given || !lines_of(given, text) || are_there(user_dir, text)) return;
  snprintf(draft, sizeof draft, FILE_NAME ".%d", (int)getpid());
  int fd = openat(user_dir, draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  close(fd);
  if (!written || renameat(user_dir, draft, user_dir, FILE_NAME) != 0) {
    unlinkat(user_dir, draft, 0);
  }
}
