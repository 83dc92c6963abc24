// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SURVEY_H_
#define HOTTUB_SURVEY_H_

// All JVMs in the user's folder of the pool, as their keepers show them; nobody is asked or woken
// but keepers of another pid namespace, whether they live.

#include <stdbool.h>
#include <stddef.h>

#include "room.h"

struct survey {
  int64_t taken_ms;  // monotonic clock
  struct room_jvm jvms[ROOM_MAX_JVMS];
  char fingerprints[ROOM_MAX_JVMS][POOL_FINGERPRINT_CHARS + 1];
  size_t count;
  size_t same_kind;  // of the fingerprint that was asked for
};

// Those that are ending because somebody made room are not among them.
void survey_take(int user_dir, const char *fingerprint, struct survey *survey);

// Ends an idle JVM, without waiting for it: false if it has been claimed meanwhile.
bool survey_end(int user_dir, const struct survey *survey, size_t index);

#endif  // HOTTUB_SURVEY_H_
