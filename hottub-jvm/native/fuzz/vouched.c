// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A list in which the pool's owner vouches for programs. Input: the file.

#include "../client/vouched.c"

#include "fuzz.h"

const bool target_frees_memory = true;

void target_prepare(void) { fuzz_folder(); }

void target_run(const uint8_t *data, size_t size) {
  fuzz_file(VOUCHED_AGENTS, data, size);
  bool found = vouched_for(fuzz_folder(), VOUCHED_AGENTS, "my.Agent");
  EXPECT(!found || memmem(data, size, "my.Agent", strlen("my.Agent")) != NULL);
  EXPECT(!vouched_for(fuzz_folder(), VOUCHED_AGENTS, ""));
}
