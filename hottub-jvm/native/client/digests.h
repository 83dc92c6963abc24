// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_DIGESTS_H_
#define HOTTUB_DIGESTS_H_

// Content digests of files, cached by (device, inode, size, mtime, ctime) in the user's folder of
// the pool, so that a launch with hundreds of jars costs one stat call a jar.

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "sha256.h"

struct digest {
  uint8_t sha256[SHA256_BYTES];
  bool has_class_path;  // a jar whose manifest has the attribute Class-Path
};

struct digests;

// Never fails: without a usable cache every file is read.
struct digests *digests_open(int user_dir);

// `info` is the result of stat(path). False if the file cannot be read, or changed meanwhile.
bool digests_file(struct digests *digests, const char *path, const struct stat *info,
                  struct digest *out);

// Adds to the cache what was not in it.
void digests_save(struct digests *digests);

#endif  // HOTTUB_DIGESTS_H_
