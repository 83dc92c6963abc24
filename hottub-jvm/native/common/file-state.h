// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FILE_STATE_H_
#define HOTTUB_FILE_STATE_H_

// By what it is seen that a file is another one, or has changed: device, inode, size, and the times
// (in nanoseconds) of its content and of itself. The last one cannot be set.

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct file_state {
  uint64_t device, inode, size, mtime, ctime;
};

struct file_state file_state_of(const struct stat *info);

// Whether the open file still is that one, unchanged.
bool file_state_is(int fd, const struct file_state *expected);

bool file_state_equals(const struct file_state *a, const struct file_state *b);

// Whether both are of one file, in whatever state.
static inline bool file_is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif  // HOTTUB_FILE_STATE_H_
