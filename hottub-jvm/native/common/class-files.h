// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CLASS_FILES_H_
#define HOTTUB_CLASS_FILES_H_

// The files that a fingerprint was made of, jars and class files: in the lease block, one after the
// other. What a JVM keeps of a class path is right if it comes from them.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "file-state.h"
#include "sha256.h"

struct class_file {
  struct file_state state;
  uint8_t sha256[SHA256_BYTES];  // of its content
  const char *path;              // absolute
};

void class_files_add(struct bytes *files, const struct class_file *file);

// Whether it is a list as class_files_add makes it.
bool class_files_are_whole(const char *data, size_t length);

// The file at `*at`, which is moved to the one behind it; false at the end.
bool class_files_next(const char *data, size_t length, size_t *at, struct class_file *file);

#endif  // HOTTUB_CLASS_FILES_H_
