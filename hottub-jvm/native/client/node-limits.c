// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "node-limits.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool.h"

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
  char now[POOL_LIMITS_MAX_BYTES + 1];
  return pool_limits_text(user_dir, now) && strcmp(now, text) == 0;
}

void node_limits_put(int user_dir) {
  const char *given = getenv("HOTTUB_LIMITS");
  char text[MAX_BYTES + 2], draft[32];
  if (!given || !lines_of(given, text) || are_there(user_dir, text)) return;
  snprintf(draft, sizeof draft, POOL_LIMITS ".%d", (int)getpid());
  pool_replace(user_dir, POOL_LIMITS, draft, text, strlen(text));
}
