// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "lease.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "class-files.h"

enum tag {
  TAG_CWD = 1,
  TAG_ENV = 2,
  TAG_PROPS = 3,
  TAG_MAIN = 4,
  TAG_ARGS = 5,
  TAG_CLASS_PATH = 6,
  TAG_LIMITS = 7,
  TAG_PROCESS = 8,
  TAG_VM_LATE = 9,
  TAG_NOTICE = 10,
  TAG_ARGUMENTS = 11,
  TAG_FILES = 12,
  TAG_LAST = TAG_FILES
};

#define HEADER_BYTES 12
#define SECTION_HEADER_BYTES 8
#define LIMITS_BYTES (LEASE_LIMITS * 16)
#define PROCESS_BYTES 24

static int fail(char *err, size_t errlen, const char *what) {
  snprintf(err, errlen, "lease block: %s", what);
  return -1;
}

// ---- reading

static bool is_text(const char *data, uint32_t length) {
  return length > 0 && memchr(data, 0, length) == data + length - 1;
}

// Makes pointers into `data`, a row of NUL-terminated strings.
static bool read_list(char *data, uint32_t length, struct lease_list *list) {
  if (length > 0 && data[length - 1] != '\0') return false;
  size_t count = 0;
  for (uint32_t i = 0; i < length; i++) count += data[i] == '\0';
  list->item = calloc(count + 1, sizeof *list->item);
  if (!list->item) return false;
  list->count = count;
  for (size_t i = 0; i < count; i++) {
    list->item[i] = data;
    data += strlen(data) + 1;
  }
  return true;
}

static bool read_section(struct lease *lease, uint32_t tag, char *data, uint32_t length) {
  switch (tag) {
    case TAG_CWD:
      lease->cwd = data;
      return is_text(data, length) && data[0] == '/';
    case TAG_ENV:
      return read_list(data, length, &lease->env);
    case TAG_PROPS:
      return read_list(data, length, &lease->props);
    case TAG_MAIN:
      if (length < 5 || !is_text(data + 4, length - 4)) return false;
      lease->mode = get_u32((uint8_t *)data);
      lease->main = data + 4;
      return lease->mode >= LEASE_CLASS && lease->mode <= LEASE_MODULE;
    case TAG_ARGS:
      return read_list(data, length, &lease->args);
    case TAG_CLASS_PATH:
      return read_list(data, length, &lease->class_path);
    case TAG_LIMITS:
      if (length != LIMITS_BYTES) return false;
      for (int i = 0; i < LEASE_LIMITS; i++) {
        lease->limits[i].soft = get_u64((uint8_t *)data + 16 * i);
        lease->limits[i].hard = get_u64((uint8_t *)data + 16 * i + 8);
      }
      return true;
    case TAG_PROCESS:
      if (length != PROCESS_BYTES) return false;
      lease->umask = get_u32((uint8_t *)data);
      lease->nice = (int32_t)get_u32((uint8_t *)data + 4);
      lease->ignored_signals = get_u64((uint8_t *)data + 8);
      lease->blocked_signals = get_u64((uint8_t *)data + 16);
      return true;
    case TAG_VM_LATE:
      return read_list(data, length, &lease->vm_late);
    case TAG_NOTICE:
      lease->notice = data;
      lease->notice_length = length;
      return true;
    case TAG_ARGUMENTS:
      return read_list(data, length, &lease->arguments);
    case TAG_FILES:
      lease->files = data;
      lease->files_length = length;
      return class_files_are_whole(data, length);
    default:
      return false;
  }
}

static int parse(struct lease *lease, char *err, size_t errlen) {
  char *at = lease->block;
  size_t left = lease->block_size;
  if (left < HEADER_BYTES || get_u32((uint8_t *)at) != LEASE_MAGIC) {
    return fail(err, errlen, "it does not begin with its magic number");
  }
  if (get_u16((uint8_t *)at + 4) != LEASE_VERSION) {
    return fail(err, errlen, "its version is not the one of this program");
  }
  uint32_t sections = get_u32((uint8_t *)at + 8);
  at += HEADER_BYTES;
  left -= HEADER_BYTES;
  uint32_t seen = 0;
  // Each tag may come once, so a block cannot make this loop run longer than there are tags.
  for (uint32_t i = 0; i < sections; i++) {
    if (left < SECTION_HEADER_BYTES) return fail(err, errlen, "it ends inside a section header");
    uint32_t tag = get_u32((uint8_t *)at);
    uint32_t length = get_u32((uint8_t *)at + 4);
    at += SECTION_HEADER_BYTES;
    left -= SECTION_HEADER_BYTES;
    if (length > left) return fail(err, errlen, "a section is longer than the block");
    if (tag < TAG_CWD || tag > TAG_LAST || (seen & 1u << tag)) {
      return fail(err, errlen, "a section is unknown or comes twice");
    }
    seen |= 1u << tag;
    if (!read_section(lease, tag, at, length)) {
      snprintf(err, errlen, "lease block: section %u is malformed", tag);
      return -1;
    }
    at += length;
    left -= length;
  }
  if (left != 0) return fail(err, errlen, "bytes follow the last section");
  uint32_t required = (2u << TAG_VM_LATE) - 2;
  if ((seen & required) != required) return fail(err, errlen, "a section is missing");
  return 0;
}

int lease_read(int fd, uint64_t length, struct lease *out, char *err, size_t errlen) {
  *out = (struct lease){0};
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || (uint64_t)info.st_size != length ||
      length > LEASE_MAX_BYTES) {
    return fail(err, errlen, "its descriptor is not a file of the announced size");
  }
  out->block = malloc(length ? length : 1);
  if (!out->block) return fail(err, errlen, "no memory to read it");
  out->block_size = length;
  for (size_t done = 0; done < length;) {
    ssize_t got = pread(fd, (char *)out->block + done, length - done, (off_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      lease_free(out);
      return fail(err, errlen, "it could not be read to its end");
    }
    done += (size_t)got;
  }
  if (parse(out, err, errlen) != 0) {
    lease_free(out);
    return -1;
  }
  return 0;
}

void lease_free(struct lease *lease) {
  free(lease->env.item);
  free(lease->props.item);
  free(lease->args.item);
  free(lease->class_path.item);
  free(lease->vm_late.item);
  free(lease->arguments.item);
  if (lease->block) explicit_bzero(lease->block, lease->block_size);
  free(lease->block);
  *lease = (struct lease){0};
}

const char *lease_list_value(const struct lease_list *list, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < list->count; i++) {
    if (strncmp(list->item[i], name, length) == 0 && list->item[i][length] == '=') {
      return list->item[i] + length + 1;
    }
  }
  return NULL;
}

// ---- writing

static void add_section(struct bytes *block, enum tag tag, const void *data, size_t length) {
  bytes_add_u32(block, tag);
  bytes_add_u32(block, (uint32_t)length);
  bytes_add(block, data, length);
}

static void add_list(struct bytes *block, enum tag tag, const struct lease_list *list) {
  size_t length = 0;
  for (size_t i = 0; i < list->count; i++) length += strlen(list->item[i]) + 1;
  if (length > LEASE_MAX_BYTES) {
    block->failed = true;
    return;
  }
  bytes_add_u32(block, tag);
  bytes_add_u32(block, (uint32_t)length);
  for (size_t i = 0; i < list->count; i++) {
    bytes_add(block, list->item[i], strlen(list->item[i]) + 1);
  }
}

static void build(struct bytes *block, const struct lease *lease) {
  bytes_add_u32(block, LEASE_MAGIC);
  bytes_add_u32(block, LEASE_VERSION);  // u16 version, u16 0
  bytes_add_u32(block, TAG_LAST);
  add_section(block, TAG_CWD, lease->cwd, strlen(lease->cwd) + 1);
  add_list(block, TAG_ENV, &lease->env);
  add_list(block, TAG_PROPS, &lease->props);
  bytes_add_u32(block, TAG_MAIN);
  bytes_add_u32(block, (uint32_t)(4 + strlen(lease->main) + 1));
  bytes_add_u32(block, lease->mode);
  bytes_add(block, lease->main, strlen(lease->main) + 1);
  add_list(block, TAG_ARGS, &lease->args);
  add_list(block, TAG_CLASS_PATH, &lease->class_path);
  bytes_add_u32(block, TAG_LIMITS);
  bytes_add_u32(block, LIMITS_BYTES);
  for (int i = 0; i < LEASE_LIMITS; i++) {
    bytes_add_u64(block, lease->limits[i].soft);
    bytes_add_u64(block, lease->limits[i].hard);
  }
  bytes_add_u32(block, TAG_PROCESS);
  bytes_add_u32(block, PROCESS_BYTES);
  bytes_add_u32(block, lease->umask);
  bytes_add_u32(block, (uint32_t)lease->nice);
  bytes_add_u64(block, lease->ignored_signals);
  bytes_add_u64(block, lease->blocked_signals);
  add_list(block, TAG_VM_LATE, &lease->vm_late);
  add_section(block, TAG_NOTICE, lease->notice, lease->notice_length);
  add_list(block, TAG_ARGUMENTS, &lease->arguments);
  add_section(block, TAG_FILES, lease->files, lease->files_length);
}

static int write_all(int fd, const uint8_t *data, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t wrote = write(fd, data + done, length - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return -1;
    done += (size_t)wrote;
  }
  return 0;
}

int lease_write(const struct lease *lease, uint64_t *length, char *err, size_t errlen) {
  struct bytes block = {0};
  build(&block, lease);
  if (block.failed || block.length > LEASE_MAX_BYTES) {
    bytes_free(&block);
    return fail(err, errlen, "environment, arguments and properties exceed 8 MiB");
  }
  int fd = memfd_create("hottub-lease", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0 || write_all(fd, block.data, block.length) != 0 ||
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    snprintf(err, errlen, "lease block: memfd cannot be written: %s", strerror(errno));
    if (fd >= 0) close(fd);
    bytes_free(&block);
    return -1;
  }
  *length = block.length;
  bytes_free(&block);
  return fd;
}

bool lease_is_training(const char *value) { return value && strcmp(value, "1") == 0; }
