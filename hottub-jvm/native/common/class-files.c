// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "class-files.h"

#include <string.h>

enum { STATE_BYTES = 40, PATH_AT = STATE_BYTES + SHA256_BYTES };

void class_files_add(struct bytes *files, const struct class_file *file) {
  bytes_add_u64(files, file->state.device);
  bytes_add_u64(files, file->state.inode);
  bytes_add_u64(files, file->state.size);
  bytes_add_u64(files, file->state.mtime);
  bytes_add_u64(files, file->state.ctime);
  bytes_add(files, file->sha256, sizeof file->sha256);
  bytes_add(files, file->path, strlen(file->path) + 1);
}

bool class_files_next(const char *data, size_t length, size_t *at, struct class_file *file) {
  if (length - *at <= PATH_AT) return false;
  const uint8_t *record = (const uint8_t *)data + *at;
  const char *path = data + *at + PATH_AT;
  const char *end = memchr(path, '\0', length - *at - PATH_AT);
  if (!end) return false;
  file->state = (struct file_state){get_u64(record), get_u64(record + 8), get_u64(record + 16),
                                    get_u64(record + 24), get_u64(record + 32)};
  memcpy(file->sha256, record + STATE_BYTES, sizeof file->sha256);
  file->path = path;
  *at = (size_t)(end + 1 - data);
  return true;
}

bool class_files_are_whole(const char *data, size_t length) {
  struct class_file file;
  size_t at = 0;
  while (class_files_next(data, length, &at, &file)) {
    if (file.path[0] != '/') return false;
  }
  return at == length;
}
