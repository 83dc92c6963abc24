// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_WORTH_H_
#define HOTTUB_WORTH_H_

// What a keeper tells about its JVM in a file of the fingerprint's folder, so that
// nobody has to wake it to know. Whoever makes it end removes the file: the JVM counts no more.

#include <stdbool.h>
#include <stdint.h>

struct worth {
  uint32_t leases;
  uint32_t memory_kb;  // 0: it was not idle yet
  int64_t since_ms;    // monotonic time; when it became idle last
  int64_t kept_ms;     // the pool service wants it to stay until then
};

// At once or not at all. False with errno.
bool worth_write(int folder, int32_t keeper, const struct worth *worth);

// What is missing, or is not a number, stays 0. False: there is no such file.
bool worth_read(int folder, int32_t keeper, struct worth *worth);

// True for the one who removed it.
bool worth_remove(int folder, int32_t keeper);

#endif  // HOTTUB_WORTH_H_
