// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JAR_H_
#define HOTTUB_JAR_H_

// Just enough of the zip format to read the manifest of a jar, and to find the times in it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

struct manifest {
  char *text;  // unfolded: one attribute of the main section a line
};

// True if the jar has a readable manifest.
bool jar_read_manifest(int fd, struct manifest *out);

// Where a jar tells the times of its entries: 4 bytes each, in ascending order.
struct jar_times {
  uint64_t *places;
  size_t count;
};

// False, with nothing to free, of a file that is no jar, of one with more than 2,000 entries, and
// of one in which anything is not as archives mostly are: entries that overlap, 64-bit fields.
bool jar_find_times(int fd, struct jar_times *out);

// Value of an attribute of the main section (names are compared without case), or NULL. A new
// string.
char *manifest_value(const struct manifest *manifest, const char *name);

#endif  // HOTTUB_JAR_H_
