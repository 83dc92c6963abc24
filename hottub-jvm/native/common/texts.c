// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "texts.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

// A memfd takes all of it, or there is no memory.
static bool write_texts(int fd, char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(texts[i]) + 1;
    if (write(fd, texts[i], length) != (ssize_t)length) return false;
  }
  return fcntl(fd, F_ADD_SEALS, SEALS) == 0;
}

int texts_write(char *const *texts, size_t count) {
  int fd = memfd_create("hottub-texts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0 || write_texts(fd, texts, count)) return fd;
  close(fd);
  return -1;
}

static size_t count_texts(const char *data, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += data[i] == '\0';
  return count;
}

// The list, and behind it what it points to.
static char **point_to(const char *data, size_t length, size_t count) {
  size_t pointers = (count + 1) * sizeof(char *);
  char **texts = malloc(pointers + length);
  if (!texts) return NULL;
  char *at = memcpy((char *)texts + pointers, data, length);
  for (size_t i = 0; i < count; i++, at += strlen(at) + 1) texts[i] = at;
  texts[count] = NULL;
  return texts;
}

static char **read_texts(int fd, size_t length, size_t *count) {
  *count = 0;
  if (length == 0) return point_to("", 0, 0);
  char *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return NULL;
  *count = count_texts(data, length);
  char **texts = point_to(data, length, *count);
  munmap(data, length);
  return texts;
}

char **texts_read(int fd, size_t *count) {
  struct stat info;
  char **texts = fstat(fd, &info) == 0 ? read_texts(fd, (size_t)info.st_size, count) : NULL;
  close(fd);
  return texts;
}
