// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The allocator itself, not its users.
#undef malloc
#undef calloc
#undef free

#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "cold.h"

// Leaks are counted here, which works where a leak checker is not allowed to look at its process.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

void fuzz_fail(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: expected: %s\n", file, line, condition);
  abort();
}

// ---- memory

static void **blocks;
static size_t block_count, block_room;

static void *noted(void *block) {
  if (!block) return NULL;
  if (block_count == block_room) {
    block_room = block_room ? 2 * block_room : 1024;
    blocks = realloc(blocks, block_room * sizeof *blocks);
    EXPECT(blocks);
  }
  return blocks[block_count++] = block;
}

void *fuzz_malloc(size_t size) { return noted(malloc(size)); }

void *fuzz_calloc(size_t count, size_t size) { return noted(calloc(count, size)); }

void fuzz_free(void *memory) {
  // From the end: what is young is freed first. Blocks of the C library are not among them.
  for (size_t i = block_count; i-- > 0;) {
    if (blocks[i] != memory) continue;
    blocks[i] = blocks[--block_count];
    break;
  }
  free(memory);
}

// ---- the way out of the client: where it would become a cold run, this input is over

static jmp_buf way_out;

void run_cold(enum cold_reason reason) {
  EXPECT(cold_word(reason));
  longjmp(way_out, 1);
}

// ---- choices

uint8_t choose_u8(struct choices *choices) {
  if (choices->left == 0) return 0;
  choices->left--;
  return *choices->at++;
}

uint32_t choose_u32(struct choices *choices) {
  uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 8) value |= (uint32_t)choose_u8(choices) << shift;
  return value;
}

uint64_t choose_u64(struct choices *choices) {
  uint64_t low = choose_u32(choices);
  return low | (uint64_t)choose_u32(choices) << 32;
}

const uint8_t *choose_bytes(struct choices *choices, size_t wanted, size_t *size) {
  const uint8_t *bytes = choices->at;
  *size = wanted < choices->left ? wanted : choices->left;
  choices->at += *size;
  choices->left -= *size;
  return bytes;
}

// ---- text

// Length of the sequence that begins here (RFC 3629), or 0. Another way to the answer than that of
// the code under test: the number is put together and compared with what its length may hold.
static size_t sequence(const uint8_t *text, size_t length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t size = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : 4;
  if (size == 1) return 1;
  if (size > length || (size == 4 && text[0] >> 3 != 30)) return 0;
  uint32_t number = text[0] & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if (text[i] >> 6 != 2) return 0;
    number = number << 6 | (text[i] & 0x3f);
  }
  bool surrogate = number >= 0xd800 && number <= 0xdfff;
  return number >= least[size] && number <= 0x10ffff && !surrogate ? size : 0;
}

bool fuzz_is_utf8(const uint8_t *text, size_t length) {
  for (size_t at = 0, size; at < length; at += size) {
    size = sequence(text + at, length - at);
    if (size == 0) return false;
  }
  return true;
}

// ---- files

static char folder_path[PATH_MAX];
static int folder = -1;

static void remove_folder(void) {
  DIR *entries = fdopendir(folder);
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (entry->d_name[0] != '.') unlinkat(folder, entry->d_name, 0);
  }
  rmdir(folder_path);
}

int fuzz_folder(void) {
  if (folder >= 0) return folder;
  const char *place = getenv("TMPDIR");
  snprintf(folder_path, sizeof folder_path, "%s/hottub-fuzz.XXXXXX", place ? place : "/tmp");
  EXPECT(mkdtemp(folder_path));
  folder = open(folder_path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  EXPECT(folder >= 0);
  atexit(remove_folder);
  return folder;
}

const char *fuzz_folder_path(void) { return folder_path; }

void fuzz_file(const char *name, const uint8_t *data, size_t size) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  EXPECT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  close(fd);
}

// ----

#define DESCRIPTORS 256

// In one call: poll says of those that are closed that they are no descriptors.
static void look_at_descriptors(bool *open) {
  struct pollfd entries[DESCRIPTORS];
  for (int i = 0; i < DESCRIPTORS; i++) entries[i] = (struct pollfd){.fd = i};
  EXPECT(poll(entries, DESCRIPTORS, 0) >= 0);
  for (int i = 0; i < DESCRIPTORS; i++) open[i] = !(entries[i].revents & POLLNVAL);
}

static void prepare_once(void) {
  static bool done;
  if (done) return;
  done = true;
  signal(SIGPIPE, SIG_IGN);  // as in client and keeper
  target_prepare();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  prepare_once();
  bool were_open[DESCRIPTORS], are_open[DESCRIPTORS];
  // Not once for all: libFuzzer opens some of its own between two inputs.
  look_at_descriptors(were_open);
  size_t before = block_count;
  if (setjmp(way_out) == 0) {
    target_run(data, size);
    if (target_frees_memory) EXPECT(block_count == before);
  }
  look_at_descriptors(are_open);
  EXPECT(memcmp(were_open, are_open, sizeof were_open) == 0);
  while (block_count > before) fuzz_free(blocks[block_count - 1]);
  return 0;
}
