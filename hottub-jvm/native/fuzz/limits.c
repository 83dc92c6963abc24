// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The limits of a pool, a file that the pool service or its administrator writes. Input: the file.

#include "fuzz.h"
#include "pool.h"

const bool target_frees_memory = true;

// More digits than this are not read: nine of them are 31 years of idle time.
#define LIMIT_MAX 999999999u

void target_prepare(void) { fuzz_folder(); }

void target_run(const uint8_t *data, size_t size) {
  struct pool_limits limits;
  fuzz_file("limits", data, size);
  pool_limits_read(fuzz_folder(), &limits);
  EXPECT(limits.max_jvms <= LIMIT_MAX && limits.max_jvms_per_fingerprint <= LIMIT_MAX);
  EXPECT(limits.idle_seconds >= 1 && limits.idle_seconds <= LIMIT_MAX);
  EXPECT(limits.max_leases <= LIMIT_MAX);
}
