// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The lease block: what is written is read again, and no damaged block is accepted or harms the
// reader.

#include "lease.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "class-files.h"
#include "sha256-blocks.h"
#include "sha256.h"

static int failures;

static void expect(int condition, const char *what) {
  if (condition) return;
  printf("FAILED: %s\n", what);
  failures++;
}

static struct bytes files;

static struct lease sample(void) {
  static char *env[] = {"A=1", "EMPTY=", "no-equals-sign", NULL};
  static char *props[] = {"x=1", "x=2", NULL};
  static char *args[] = {"", "two words", NULL};
  static char *entries[] = {"/a.jar", "/b", NULL};
  static char *none[] = {NULL};
  struct class_file file = {.state = {1, 2, 3, 4, 5}, .sha256 = "digest", .path = "/a.jar"};
  bytes_free(&files);
  class_files_add(&files, &file);
  struct lease lease = {.cwd = "/work",
                        .env = {3, env},
                        .props = {2, props},
                        .mode = LEASE_JAR,
                        .main = "app.jar",
                        .args = {2, args},
                        .class_path = {2, entries},
                        .umask = 022,
                        .nice = -5,
                        .ignored_signals = 1,
                        .blocked_signals = UINT64_C(1) << 63,
                        .vm_late = {0, none},
                        .notice = "hello",
                        .notice_length = 5,
                        .arguments = {2, args},
                        .files = (char *)files.data,
                        .files_length = files.length};
  lease.limits[7] = (struct lease_limit){1024, UINT64_MAX};
  return lease;
}

static int memfd_of(const char *data, size_t length) {
  int fd = memfd_create("test", MFD_CLOEXEC);
  if (write(fd, data, length) != (ssize_t)length) abort();
  return fd;
}

static void test_round_trip(int fd, uint64_t length) {
  struct lease read;
  char err[128];
  expect(lease_read(fd, length, &read, err, sizeof err) == 0, "a whole block is read");
  expect(strcmp(read.cwd, "/work") == 0 && strcmp(read.main, "app.jar") == 0, "texts");
  expect(read.env.count == 3 && strcmp(read.env.item[2], "no-equals-sign") == 0, "environment");
  expect(read.env.item[3] == NULL, "a list ends with NULL");
  expect(read.args.count == 2 && read.args.item[0][0] == '\0', "an empty argument stays");
  expect(read.vm_late.count == 0, "an empty list");
  expect(read.mode == LEASE_JAR && read.nice == -5 && read.umask == 022, "numbers");
  expect(read.limits[7].soft == 1024 && read.limits[7].hard == UINT64_MAX, "limits");
  expect(read.blocked_signals == UINT64_C(1) << 63, "signals");
  expect(read.notice_length == 5 && memcmp(read.notice, "hello", 5) == 0, "notice");
  expect(read.arguments.count == 2 && strcmp(read.arguments.item[1], "two words") == 0, "options");
  expect(strcmp(lease_list_value(&read.env, "EMPTY"), "") == 0, "an empty value is a value");
  expect(lease_list_value(&read.env, "no") == NULL, "a prefix is no name");
  struct class_file file;
  size_t at = 0;
  expect(class_files_next(read.files, read.files_length, &at, &file), "a file");
  expect(file.state.ctime == 5 && strcmp(file.path, "/a.jar") == 0, "its state and path");
  expect(!class_files_next(read.files, read.files_length, &at, &file), "it is the only one");
  lease_free(&read);
  expect(read.block == NULL && read.env.item == NULL, "nothing is left after lease_free");
}

static void test_seals(int fd) {
  expect(ftruncate(fd, 0) != 0 && write(fd, "x", 1) != 1, "the block is sealed");
}

static void test_damage(const char *data, size_t length) {
  struct lease read;
  char err[128];
  for (size_t shorter = 0; shorter < length; shorter++) {
    int fd = memfd_of(data, shorter);
    expect(lease_read(fd, shorter, &read, err, sizeof err) != 0, "a shortened block is refused");
    expect(lease_read(fd, length, &read, err, sizeof err) != 0, "a false length is refused");
    close(fd);
  }
  // Any single byte changed: accepted or refused, but never a crash or a read beyond the end.
  char *copy = malloc(length);
  for (size_t at = 0; at < length; at++) {
    memcpy(copy, data, length);
    copy[at] = (char)~copy[at];
    int fd = memfd_of(copy, length);
    if (lease_read(fd, length, &read, err, sizeof err) == 0) lease_free(&read);
    close(fd);
  }
  free(copy);
  int pipe_fds[2];
  if (pipe(pipe_fds) != 0) abort();
  expect(lease_read(pipe_fds[0], 0, &read, err, sizeof err) != 0, "a pipe is refused");
}

static void test_too_big(void) {
  struct lease lease = sample();
  char *big = malloc(LEASE_MAX_BYTES + 1);
  memset(big, 'x', LEASE_MAX_BYTES);
  big[LEASE_MAX_BYTES] = '\0';
  char *args[] = {big, NULL};
  lease.args = (struct lease_list){1, args};
  uint64_t length;
  char err[128];
  expect(lease_write(&lease, &length, err, sizeof err) < 0, "more than 8 MiB are refused");
  free(big);
}

static void test_sha256(void) {
  // FIPS 180-4: "abc", and a million times "a" in uneven portions.
  static const char abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  static const char million[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  uint8_t digest[SHA256_BYTES];
  char hex[2 * SHA256_BYTES + 1], portion[997];
  struct sha256 hash;
  sha256_init(&hash);
  sha256_update(&hash, "abc", 3);
  sha256_final(&hash, digest);
  for (int i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  expect(strcmp(hex, abc) == 0, "SHA-256 of abc");
  memset(portion, 'a', sizeof portion);
  sha256_init(&hash);
  for (size_t left = 1000000; left > 0;) {
    size_t now = left < sizeof portion ? left : sizeof portion;
    sha256_update(&hash, portion, now);
    left -= now;
  }
  sha256_final(&hash, digest);
  for (int i = 0; i < SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  expect(strcmp(hex, million) == 0, "SHA-256 of a million a");
}

// Both ways to compress give the same, from any state.
static void test_sha256_blocks(void) {
#if defined(__x86_64__)
  if (!sha256_blocks_x86_usable()) return;
  uint8_t data[5 * SHA256_BLOCK];
  uint32_t one[8], other[8];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 131 + i / 7);
  for (uint32_t i = 0; i < 8; i++) one[i] = other[i] = i * UINT32_C(0x9e3779b9);
  sha256_blocks_portable(one, data, 5);
  sha256_blocks_x86(other, data, 5);
  expect(memcmp(one, other, sizeof one) == 0, "SHA-256 with and without the instructions");
#endif
}

int main(void) {
  struct lease lease = sample();
  uint64_t length;
  char err[128];
  int fd = lease_write(&lease, &length, err, sizeof err);
  expect(fd >= 0, "a block is written");
  test_round_trip(fd, length);
  test_seals(fd);
  char *data = malloc(length);
  if (pread(fd, data, length, 0) != (ssize_t)length) abort();
  test_damage(data, length);
  free(data);
  close(fd);
  test_too_big();
  test_sha256();
  test_sha256_blocks();
  return failures != 0;
}
