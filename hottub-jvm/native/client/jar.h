// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JAR_H_
#define HOTTUB_JAR_H_

// Just enough of the zip format to read the manifest of a jar.

#include <stdbool.h>

#include "text.h"

struct manifest {
  char *text;  // unfolded: one attribute of the main section a line
};

// True if the jar has a readable manifest.
bool jar_read_manifest(int fd, struct manifest *out);

// Value of an attribute of the main section (names are compared without case), or NULL. A new
// string.
char *manifest_value(const struct manifest *manifest, const char *name);

#endif  // HOTTUB_JAR_H_
