// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FUZZ_H_
#define HOTTUB_FUZZ_H_

// What the fuzz targets share. A target is one file beside this folder: it defines the functions
// and the constant at the end. Linked with libFuzzer it is fed what reaches new code, linked with
// replay.c what is given on the command line.
//
// The code under test is compiled with the allocator below (see the Makefile), so that what it
// leaves behind is known after each input: a fault of code that has to free its memory, and
// nothing to code of the client, which lives for one run.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPECT(condition)                                        \
  do {                                                           \
    if (!(condition)) fuzz_fail(#condition, __FILE__, __LINE__); \
  } while (0)
_Noreturn void fuzz_fail(const char *condition, const char *file, int line);

void *fuzz_malloc(size_t size);
void *fuzz_calloc(size_t count, size_t size);
void fuzz_free(void *memory);

// The input as a row of choices; all zero beyond its end.
struct choices {
  const uint8_t *at;
  size_t left;
};
uint8_t choose_u8(struct choices *choices);
uint32_t choose_u32(struct choices *choices);
uint64_t choose_u64(struct choices *choices);

// The next bytes of the input: as many as wanted, or as there are; *size says how many.
const uint8_t *choose_bytes(struct choices *choices, size_t wanted, size_t *size);

bool fuzz_is_utf8(const uint8_t *text, size_t length);

// A folder of this process in memory or on disk, for code that reads files; removed at the end.
int fuzz_folder(void);
const char *fuzz_folder_path(void);
void fuzz_file(const char *name, const uint8_t *data, size_t size);

// ---- of the target

extern const bool target_frees_memory;
void target_prepare(void);  // once; what it opens stays open
void target_run(const uint8_t *data, size_t size);

// ---- of libFuzzer

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif  // HOTTUB_FUZZ_H_
