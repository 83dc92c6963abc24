// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The list of native libraries of a pool, a file of its administrator, which becomes options of a
// program. Input: the file.

#include "../keeper/jvm-command.c"
#include "fuzz.h"

#define ROOM 5

const bool target_frees_memory = true;

void target_prepare(void) { fuzz_folder(); }

void target_run(const uint8_t *data, size_t size) {
  static struct keeper keeper = {.log = -1};
  char *rules[ROOM + 1] = {0};
  keeper.user_dir = fuzz_folder();
  fuzz_file("libraries", data, size);
  size_t count = library_rules(&keeper, rules, ROOM);
  EXPECT(count <= ROOM);
  for (size_t i = 0; i < count; i++) {
    EXPECT(strncmp(rules[i], "--retire=", 9) == 0 || strncmp(rules[i], "--keep=", 7) == 0);
    EXPECT(strlen(strchr(rules[i], '=') + 1) <= 255 && !strpbrk(rules[i], " \t\n"));
    free(rules[i]);
  }
}
