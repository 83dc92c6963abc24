// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "class-path.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class-files.h"
#include "descriptors.h"
#include "file-state.h"

enum { MAX_JARS = 16384 };

static struct jar {
  int fd;
  struct file_state state;
  uint8_t sha256[SHA256_BYTES];
} jars[MAX_JARS];
static size_t jar_count;

typedef bool matches(const struct class_file *file, const void *data);

// The first one at or behind *at, else the first one of all: mostly they come in the same order.
static bool find(const struct lease *lease, size_t *at, matches *match, const void *data,
                 struct class_file *file) {
  for (size_t next = *at; class_files_next(lease->files, lease->files_length, &next, file);) {
    if (!match(file, data)) continue;
    *at = next;
    return true;
  }
  for (size_t next = 0; class_files_next(lease->files, lease->files_length, &next, file);) {
    if (match(file, data)) return true;
  }
  return false;
}

static bool has_content(const struct class_file *file, const void *sha256) {
  return memcmp(file->sha256, sha256, sizeof file->sha256) == 0;
}

static bool has_state(const struct class_file *file, const void *state) {
  return file_state_equals(&file->state, state);
}

// With the same number.
static bool open_again(struct jar *jar, const struct class_file *file) {
  int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return false;
  bool good = file_state_is(fd, &file->state) && dup3(fd, jar->fd, O_CLOEXEC) == jar->fd;
  if (good) jar->state = file->state;
  close(fd);
  return good;
}

int class_path_begin(const struct lease *lease, char *err, size_t errlen) {
  size_t at = 0;
  for (size_t i = 0; i < jar_count; i++) {
    struct class_file file;
    if (!find(lease, &at, has_content, jars[i].sha256, &file)) {
      snprintf(err, errlen, "an open jar is not of the class path");
      return -1;
    }
    if (!has_state(&file, &jars[i].state) && !open_again(&jars[i], &file)) {
      snprintf(err, errlen, "the class path is being changed: %s", file.path);
      return -1;
    }
  }
  return 0;
}

void class_path_let_go(void) {
  for (size_t i = 0; i < jar_count; i++) {
    struct stat info;
    bool is_deleted = fstat(jars[i].fd, &info) == 0 && info.st_nlink == 0;
    if (is_deleted && descriptors_empty(jars[i].fd)) jars[i].state = (struct file_state){0};
  }
}

static bool find_state(const struct lease *lease, const struct stat *info,
                       struct class_file *file) {
  struct file_state state = file_state_of(info);
  size_t at = 0;
  return find(lease, &at, has_state, &state, file);
}

static bool note(const struct lease *lease, int fd) {
  struct stat info;
  struct class_file file;
  if (jar_count == MAX_JARS) return false;
  if (fstat(fd, &info) != 0 || !find_state(lease, &info, &file)) return false;
  struct jar *jar = &jars[jar_count++];
  jar->fd = fd;
  jar->state = file.state;
  memcpy(jar->sha256, file.sha256, sizeof jar->sha256);
  return true;
}

static const struct jar *find_jar(int fd, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (jars[i].fd == fd) return &jars[i];
  }
  return NULL;
}

void class_path_note(const struct lease *lease, const int *open, size_t count, bool has_loaded,
                     struct doubt *doubt) {
  size_t known = jar_count;
  for (size_t i = 0; i < count; i++) {
    const struct jar *jar = find_jar(open[i], known);
    bool good = jar ? !has_loaded || file_state_is(jar->fd, &jar->state) : note(lease, open[i]);
    if (good) continue;
    doubt_because(doubt, DOUBT_THE_CLASS_PATH_HAS_CHANGED_UNDER_THE_RUN, "a jar");
    return;
  }
}

bool class_path_has(const struct lease *lease, const char *path) {
  struct stat info;
  struct class_file file;
  return stat(path, &info) == 0 && find_state(lease, &info, &file);
}
