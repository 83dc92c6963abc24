// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "digests.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "bytes.h"
#include "file-state.h"
#include "jar.h"
#include "media.h"
#include "text.h"

#define CACHE_NAME "digests"
#define MAX_RECORDS 16384
#define READ_BYTES (256 * 1024)

// A file that changed less than this ago may change again without a new timestamp.
#define SETTLED_NS INT64_C(2000000000)

// Kernels count the times of local files in steps of up to 10 ms.
#define TICK_NS INT64_C(20000000)

// A record: five numbers of 8 bytes (device with its medium, inode, size, mtime ns, ctime ns), the
// digest, flags, a checksum of it all. The first record of the file is its header: the magic number
// and zeroes.
#define KEY_BYTES 40
#define FLAGS_AT (KEY_BYTES + SHA256_BYTES)
#define CHECKSUM_AT (FLAGS_AT + 8)
#define RECORD_BYTES (CHECKSUM_AT + 8)
#define MAGIC "HTDIGES2"
#define FLAG_CLASS_PATH 1u

struct digests {
  int dir;
  uint8_t *records;  // of the cache file, without its header
  size_t count;
  uint32_t *index;  // open addressing: number of a record + 1, or 0
  size_t index_size;
  struct bytes used;   // records that this launch has found in the cache
  struct bytes added;  // records that it has made
  bool rewrite;        // the cache is damaged, or full
  struct media media;
};

static uint64_t fnv(const uint8_t *data, size_t length) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < length; i++) hash = (hash ^ data[i]) * UINT64_C(1099511628211);
  return hash;
}

static void make_key(uint8_t *key, const struct file_state *state, uint64_t medium) {
  put_u64(key, state->device ^ medium);
  put_u64(key + 8, state->inode);
  put_u64(key + 16, state->size);
  put_u64(key + 24, state->mtime);
  put_u64(key + 32, state->ctime);
}

static bool is_whole(const uint8_t *record) {
  return fnv(record, CHECKSUM_AT) == get_u64(record + CHECKSUM_AT);
}

// ---- the cache file

static void forget_records(struct digests *d) {
  d->count = 0;
  d->rewrite = true;
  if (d->index) memset(d->index, 0, d->index_size * sizeof *d->index);
}

static void build_index(struct digests *d) {
  d->index_size = 64;
  while (d->index_size < 2 * d->count) d->index_size *= 2;
  d->index = grab(d->index_size * sizeof *d->index);
  for (size_t i = 0; i < d->count; i++) {
    // The newest record of a key wins: it replaces the number of the older one.
    const uint8_t *key = d->records + i * RECORD_BYTES;
    size_t slot = fnv(key, KEY_BYTES) & (d->index_size - 1);
    while (d->index[slot] &&
           memcmp(d->records + (d->index[slot] - 1) * RECORD_BYTES, key, KEY_BYTES) != 0) {
      slot = (slot + 1) & (d->index_size - 1);
    }
    d->index[slot] = (uint32_t)i + 1;
  }
}

static void load(struct digests *d) {
  int fd = openat(d->dir, CACHE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) {
    d->rewrite = true;
    return;
  }
  struct stat info;
  size_t size = 0;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
      info.st_size >= RECORD_BYTES && info.st_size <= (MAX_RECORDS + 1) * RECORD_BYTES) {
    size = (size_t)info.st_size;
  }
  uint8_t *data = grab(size);
  // Read, not mapped: a mapping of a file that somebody truncates kills with SIGBUS.
  bool good = size > 0 && read(fd, data, size) == (ssize_t)size && size % RECORD_BYTES == 0 &&
              memcmp(data, MAGIC, strlen(MAGIC)) == 0 && is_whole(data);
  close(fd);
  if (good) {
    d->records = data + RECORD_BYTES;
    d->count = size / RECORD_BYTES - 1;
  } else {
    d->rewrite = true;
  }
}

struct digests *digests_open(int user_dir) {
  struct digests *d = grab(sizeof *d);
  d->dir = user_dir;
  load(d);
  build_index(d);
  return d;
}

static const uint8_t *find(struct digests *d, const uint8_t *key) {
  for (size_t slot = fnv(key, KEY_BYTES) & (d->index_size - 1); d->index[slot];
       slot = (slot + 1) & (d->index_size - 1)) {
    const uint8_t *record = d->records + (d->index[slot] - 1) * RECORD_BYTES;
    if (memcmp(record, key, KEY_BYTES) != 0) continue;
    if (is_whole(record)) return record;
    // Who knows what else is wrong with it.
    forget_records(d);
    return NULL;
  }
  return NULL;
}

static bool write_records(int fd, const struct bytes *records) {
  return records->length == 0 ||
         write(fd, records->data, records->length) == (ssize_t)records->length;
}

static void replace_file(struct digests *d) {
  char name[32];
  uint8_t header[RECORD_BYTES] = MAGIC;
  put_u64(header + CHECKSUM_AT, fnv(header, CHECKSUM_AT));
  snprintf(name, sizeof name, CACHE_NAME ".%d", (int)getpid());
  int fd = openat(d->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  bool good = write(fd, header, sizeof header) == (ssize_t)sizeof header &&
              write_records(fd, &d->used) && write_records(fd, &d->added);
  close(fd);
  // A reader has the old file or the new one, never half of one.
  if (!good || renameat(d->dir, name, d->dir, CACHE_NAME) != 0) unlinkat(d->dir, name, 0);
}

void digests_save(struct digests *d) {
  if (d->added.failed || d->used.failed || (d->added.length == 0 && !d->rewrite)) return;
  int fd = openat(d->dir, CACHE_NAME, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info;
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);  // another launch is at it; what is missing is added by the next
    return;
  }
  if (fd < 0 || d->rewrite || fstat(fd, &info) != 0 || info.st_size % RECORD_BYTES != 0 ||
      (size_t)info.st_size + d->added.length > (MAX_RECORDS + 1) * RECORD_BYTES) {
    replace_file(d);
  } else if (!write_records(fd, &d->added)) {
    // A torn record makes the size wrong: the next launch writes the file again.
  }
  if (fd >= 0) close(fd);
}

// ---- files

// Jars that are packed anew for each job, as those of Hadoop Streaming, differ in times only.
struct mask {
  struct jar_times times;
  size_t next;
  uint64_t position;  // of the bytes that follow
};

static void hide_times(struct mask *mask, uint8_t *data, size_t length) {
  const struct jar_times *times = &mask->times;
  while (mask->next < times->count && times->places[mask->next] < mask->position + length) {
    uint64_t place = times->places[mask->next];
    // It may have begun, or may go on, in other bytes than these.
    for (uint64_t at = place; at < place + 4; at++) {
      if (at >= mask->position && at < mask->position + length) data[at - mask->position] = 0;
    }
    if (place + 4 > mask->position + length) break;
    mask->next++;
  }
  mask->position += length;
}

static bool read_content(int fd, const struct file_state *expected, struct digest *out) {
  struct sha256 hash;
  if (!file_state_is(fd, expected)) return false;
  uint8_t *data = grab(READ_BYTES);
  ssize_t got;
  struct mask mask = {.next = 0};
  if (!jar_find_times(fd, &mask.times)) mask.times = (struct jar_times){.places = NULL};
  sha256_init(&hash);
  while ((got = read(fd, data, READ_BYTES)) > 0) {
    hide_times(&mask, data, (size_t)got);
    sha256_update(&hash, data, (size_t)got);
  }
  free(mask.times.places);
  free(data);
  sha256_final(&hash, out->sha256);
  struct manifest manifest;
  out->has_class_path = false;
  if (jar_read_manifest(fd, &manifest)) {
    char *value = manifest_value(&manifest, "Class-Path");
    out->has_class_path = value && *value;
    free(value);
    free(manifest.text);
  }
  return got == 0 && file_state_is(fd, expected);
}

// How long ago it was written, in nanoseconds.
static int64_t age_of(const struct file_state *state) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t latest = state->mtime > state->ctime ? state->mtime : state->ctime;
  return (int64_t)((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - latest);
}

// What is written from now on has another time than what is read.
static void await_tick(const struct file_state *state) {
  int64_t age = age_of(state);
  if (age < 0 || age >= TICK_NS) return;
  struct timespec rest = {0, TICK_NS - age};
  nanosleep(&rest, NULL);
}

bool digests_file(struct digests *d, const char *path, const struct stat *info,
                  struct digest *out) {
  uint8_t record[RECORD_BYTES] = {0};
  struct file_state state = file_state_of(info);
  uint64_t medium;
  bool is_known = media_number(&d->media, info->st_dev, &medium);
  make_key(record, &state, medium);
  const uint8_t *known = is_known ? find(d, record) : NULL;
  if (known) {
    memcpy(out->sha256, known + KEY_BYTES, SHA256_BYTES);
    out->has_class_path = get_u32(known + FLAGS_AT) & FLAG_CLASS_PATH;
    bytes_add(&d->used, known, RECORD_BYTES);
    return true;
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return false;
  await_tick(&state);
  bool good = read_content(fd, &state, out);
  close(fd);
  if (good && is_known && age_of(&state) >= SETTLED_NS) {
    memcpy(record + KEY_BYTES, out->sha256, SHA256_BYTES);
    put_u32(record + FLAGS_AT, out->has_class_path ? FLAG_CLASS_PATH : 0);
    put_u64(record + CHECKSUM_AT, fnv(record, CHECKSUM_AT));
    bytes_add(&d->added, record, RECORD_BYTES);
  }
  return good;
}
