// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "wanted.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "deadline.h"
#include "pool.h"

// Fingerprint as text, time as u64: written in one call. A record that two writers have mixed
// belongs to nobody.
#define RECORD_BYTES (POOL_FINGERPRINT_CHARS + 8)

static off_t place_of(const char *fingerprint) {
  char first[3] = {fingerprint[0], fingerprint[1], '\0'};
  return (off_t)strtol(first, NULL, 16) * RECORD_BYTES;
}

static int open_file(int user_dir, int flags) {
  return openat(user_dir, "wanted", flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

int64_t wanted_ago_ms(int user_dir, const char *fingerprint, int64_t now_ms) {
  uint8_t record[RECORD_BYTES];
  int fd = open_file(user_dir, O_RDONLY);
  if (fd < 0) return -1;
  ssize_t length = pread(fd, record, sizeof record, place_of(fingerprint));
  close(fd);
  if (length != (ssize_t)sizeof record ||
      memcmp(record, fingerprint, POOL_FINGERPRINT_CHARS) != 0) {
    return -1;
  }
  uint64_t when = get_u64(record + POOL_FINGERPRINT_CHARS), now = (uint64_t)now_ms;
  // A time that is still to come was written before the machine was started.
  return when <= now ? (int64_t)(now - when) : -1;
}

void wanted_note(int user_dir, const char *fingerprint, int64_t when_ms) {
  struct bytes record = {0};
  int fd = open_file(user_dir, O_WRONLY | O_CREAT);
  if (fd < 0) return;
  bytes_add_text(&record, fingerprint);
  bytes_add_u64(&record, (uint64_t)when_ms);
  if (!record.failed && record.length == RECORD_BYTES) {
    // Without it the next run is a stranger's.
    ssize_t ignored = pwrite(fd, record.data, record.length, place_of(fingerprint));
    (void)ignored;
  }
  bytes_free(&record);
  close(fd);
}
