// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "file-state.h"

// A file system may store years for which these do not suffice; they are then only as good as any
// other bits.
static uint64_t nanoseconds(struct timespec time) {
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct file_state file_state_of(const struct stat *info) {
  return (struct file_state){info->st_dev, info->st_ino, (uint64_t)info->st_size,
                             nanoseconds(info->st_mtim), nanoseconds(info->st_ctim)};
}

bool file_state_is(int fd, const struct file_state *expected) {
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  struct file_state state = file_state_of(&info);
  return file_state_equals(&state, expected);
}

bool file_state_equals(const struct file_state *a, const struct file_state *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->mtime == b->mtime && a->ctime == b->ctime;
}
