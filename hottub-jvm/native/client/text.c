// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cold.h"

void *grab(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) run_cold(COLD_OUT_OF_MEMORY);
  return memory;
}

char *copy_part(const char *text, size_t length) {
  char *copy = grab(length + 1);
  if (length) memcpy(copy, text, length);  // an empty part may have no address
  return copy;
}

char *copy_text(const char *text) { return copy_part(text, strlen(text)); }

char *join_text(const char *first, const char *second) {
  size_t one = strlen(first), two = strlen(second);
  char *joined = grab(one + two + 1);
  memcpy(joined, first, one);
  memcpy(joined + one, second, two);
  return joined;
}

void list_add(struct list *list, char *text) {
  if (list->count + 2 > list->room) {
    size_t room = list->room ? 2 * list->room : 16;
    char **item = grab(room * sizeof *item);
    if (list->count) memcpy(item, list->item, list->count * sizeof *item);
    free(list->item);
    list->item = item;
    list->room = room;
  }
  list->item[list->count++] = text;
  list->item[list->count] = NULL;
}

void list_add_all(struct list *list, const struct list *more) {
  for (size_t i = 0; i < more->count; i++) list_add(list, more->item[i]);
}

struct lease_list list_as_lease(const struct list *list) {
  return (struct lease_list){.count = list->count, .item = list->item};
}

bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}

char *read_file(const char *path, size_t max, size_t *length) {
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return NULL;
  char *data = NULL;
  size_t done = 0;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size <= max) {
    data = grab((size_t)info.st_size + 1);
    ssize_t got = 1;
    while (done < (size_t)info.st_size && got > 0) {
      got = read(fd, data + done, (size_t)info.st_size - done);
      if (got > 0) done += (size_t)got;
    }
    if (got < 0) {
      free(data);
      data = NULL;
    }
  }
  close(fd);
  if (length) *length = done;
  return data;
}
