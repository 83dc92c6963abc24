// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// malloc for a program that wants its memory once and at once: the client is started for each run,
// and asking the kernel takes it longer than all else that an allocator does. What is small comes
// from one block and stays; what is large is mapped, and given back.

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK_BYTES (1024 * 1024)
#define LARGE_BYTES (64 * 1024)

// Before each piece; as large as what malloc aligns to.
struct header {
  _Alignas(16) size_t size;  // of the piece, without this
};

static _Alignas(16) uint8_t block[BLOCK_BYTES];  // all zero, and no memory before it is used
static size_t used;

static bool is_in_block(const struct header *header) {
  return (uintptr_t)header - (uintptr_t)block < BLOCK_BYTES;
}

static struct header *map(size_t total) {
  void *memory = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *malloc(size_t size) {
  if (size > PTRDIFF_MAX - 2 * sizeof(struct header)) {
    errno = ENOMEM;
    return NULL;
  }
  size_t total = (size + 2 * sizeof(struct header) - 1) & ~(sizeof(struct header) - 1);
  struct header *header;
  if (size >= LARGE_BYTES || total > BLOCK_BYTES - used) {
    header = map(total);
    if (!header) return NULL;
  } else {
    header = (struct header *)(block + used);
    used += total;
  }
  header->size = size;
  return header + 1;
}

void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return malloc(total);  // no piece is used twice
}

void free(void *memory) {
  if (!memory) return;
  struct header *header = (struct header *)memory - 1;
  if (!is_in_block(header)) munmap(header, sizeof *header + header->size);
}

void *realloc(void *memory, size_t size) {
  void *larger = malloc(size);
  if (!memory || !larger) return larger;
  size_t before = ((struct header *)memory - 1)->size;
  memcpy(larger, memory, before < size ? before : size);
  free(memory);
  return larger;
}
