// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The cache of content digests, a file that other launches have written.
// Input: one byte of flags, then the file. Flag 1: the checksums of its records are made right,
// which chance would never do.

#include "../client/digests.c"

#include <stdlib.h>

#include "fuzz.h"

#define QUERIES 16

const bool target_frees_memory = false;

static char *jar;

void target_prepare(void) {
  fuzz_folder();
  fuzz_file("a.jar", (const uint8_t *)"no jar", 6);
  jar = strdup(fuzz_folder_path());
  jar = realloc(jar, strlen(jar) + 7);
  strcat(jar, "/a.jar");
}

static void repair(uint8_t *data, size_t size) {
  if (size >= RECORD_BYTES) memcpy(data, MAGIC, strlen(MAGIC));
  for (size_t at = 0; at + RECORD_BYTES <= size; at += RECORD_BYTES) {
    put_u64(data + at + CHECKSUM_AT, fnv(data + at, CHECKSUM_AT));
  }
}

static struct timespec time_of(uint64_t ns) {
  return (struct timespec){(time_t)((int64_t)ns / 1000000000), (int64_t)ns % 1000000000};
}

static struct stat info_of(const uint8_t *key) {
  return (struct stat){.st_dev = get_u64(key),
                       .st_ino = get_u64(key + 8),
                       .st_size = (off_t)get_u64(key + 16),
                       .st_mtim = time_of(get_u64(key + 24)),
                       .st_ctim = time_of(get_u64(key + 32))};
}

// A digest comes from the newest record with that key, and only if that one is whole.
static void ask(struct digests *d, const uint8_t *file, size_t count, size_t number) {
  struct digest digest;
  const uint8_t *key = file + number * RECORD_BYTES;
  struct stat info = info_of(key);
  if (!digests_file(d, "", &info, &digest)) return;
  const uint8_t *newest = key;
  for (size_t i = number + 1; i < count; i++) {
    if (memcmp(file + i * RECORD_BYTES, key, KEY_BYTES) == 0) newest = file + i * RECORD_BYTES;
  }
  EXPECT(is_whole(newest) && memcmp(digest.sha256, newest + KEY_BYTES, SHA256_BYTES) == 0);
}

// A file that is there always has its digest.
static void ask_for_jar(struct digests *d, uint8_t *sha256) {
  struct stat info;
  struct digest digest;
  EXPECT(stat(jar, &info) == 0);
  EXPECT(digests_file(d, jar, &info, &digest));
  memcpy(sha256, digest.sha256, SHA256_BYTES);
}

// A time may be anything that a file system stores.
static void ask_with_time(struct digests *d, uint64_t seconds) {
  struct stat info = {.st_mtim = {(time_t)seconds, 999999999}};
  struct digest digest;
  digests_file(d, "", &info, &digest);
}

void target_run(const uint8_t *data, size_t size) {
  struct choices input = {data, size};
  uint8_t flags = choose_u8(&input), before[SHA256_BYTES], after[SHA256_BYTES];
  size_t length = input.left, count = length / RECORD_BYTES;
  uint8_t *file = grab(length);
  memcpy(file, input.at, length);
  if (flags & 1) repair(file, length);
  fuzz_file(CACHE_NAME, file, length);

  struct digests *d = digests_open(fuzz_folder());
  for (size_t i = 1; i < count && i <= QUERIES; i++) ask(d, file, count, i);
  if (length >= 8) ask_with_time(d, get_u64(file + length - 8));
  ask_for_jar(d, before);
  digests_save(d);

  // The next launch finds a good cache, and the same digest.
  d = digests_open(fuzz_folder());
  EXPECT(!d->rewrite);
  ask_for_jar(d, after);
  EXPECT(memcmp(before, after, SHA256_BYTES) == 0);
}
