// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_BYTES_H_
#define HOTTUB_BYTES_H_

// A growing byte buffer and little-endian numbers. A buffer that could not grow is marked and stays
// valid: callers append without checking and look at `failed` once at the end.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
  uint8_t *data;
  size_t length;
  size_t capacity;
  bool failed;
};

void bytes_add(struct bytes *buffer, const void *data, size_t length);
void bytes_add_text(struct bytes *buffer, const char *text);  // without its NUL
void bytes_add_u32(struct bytes *buffer, uint32_t value);
void bytes_add_u64(struct bytes *buffer, uint64_t value);
void bytes_format(struct bytes *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bytes_free(struct bytes *buffer);  // zeroes before it frees

void put_u16(uint8_t *at, uint16_t value);
void put_u32(uint8_t *at, uint32_t value);
void put_u64(uint8_t *at, uint64_t value);
uint16_t get_u16(const uint8_t *at);
uint32_t get_u32(const uint8_t *at);
uint64_t get_u64(const uint8_t *at);

#endif  // HOTTUB_BYTES_H_
