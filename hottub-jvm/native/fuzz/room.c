// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// What a client reads to find room in the pool: a keeper's file about its JVM, and the file
// `wanted`. Input: one byte that says which, then the file.

#include "room.h"

#include <string.h>

#include "deadline.h"
#include "fuzz.h"
#include "pool.h"
#include "wanted.h"
#include "worth.h"

const bool target_frees_memory = true;

void target_prepare(void) { fuzz_folder(); }

static void read_worth(const uint8_t *data, size_t size) {
  struct worth worth;
  fuzz_file(POOL_WORTH_PREFIX "7", data, size);
  EXPECT(worth_read(fuzz_folder(), 7, &worth));
  EXPECT(worth.since_ms >= 0 && worth.kept_ms >= 0);
  struct room_jvm jvm = {
      .keeper = 7, .leases = worth.leases, .memory_kb = worth.memory_kb, .idle_ms = worth.since_ms};
  struct pool_limits limits = {.max_jvms = 1, .memory_kb = 1000};
  size_t victim;
  int count = room_for_newcomer(&jvm, 1, &limits, ROOM_STRANGER_MS, &victim);
  EXPECT(count == -1 || (count == 1 && victim == 0));
}

static void read_wanted(const uint8_t *data, size_t size) {
  static const char fingerprint[] = "00112233445566778899aabbccddeeff";
  fuzz_file("wanted", data, size);
  EXPECT(wanted_ago_ms(fuzz_folder(), fingerprint, monotonic_ms()) >= -1);
  wanted_note(fuzz_folder(), fingerprint, 0);
  EXPECT(wanted_ago_ms(fuzz_folder(), fingerprint, monotonic_ms()) > 0);
}

void target_run(const uint8_t *data, size_t size) {
  if (size == 0) return;
  if (data[0] & 1) {
    read_worth(data + 1, size - 1);
  } else {
    read_wanted(data + 1, size - 1);
  }
}
