// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct bytes *buffer, size_t extra) {
  if (buffer->failed) return false;
  if (extra <= buffer->capacity - buffer->length) return true;
  size_t wanted = buffer->capacity ? buffer->capacity : 256;
  while (wanted - buffer->length < extra) {
    if (wanted > SIZE_MAX / 2) {
      buffer->failed = true;
      return false;
    }
    wanted *= 2;
  }
  // Not realloc: it would leave a copy of the old bytes, perhaps credentials, in freed memory.
  uint8_t *moved = malloc(wanted);
  if (!moved) {
    buffer->failed = true;
    return false;
  }
  if (buffer->length) memcpy(moved, buffer->data, buffer->length);
  if (buffer->data) explicit_bzero(buffer->data, buffer->capacity);
  free(buffer->data);
  buffer->data = moved;
  buffer->capacity = wanted;
  return true;
}

void bytes_add(struct bytes *buffer, const void *data, size_t length) {
  if (length == 0 || !reserve(buffer, length)) return;
  memcpy(buffer->data + buffer->length, data, length);
  buffer->length += length;
}

void bytes_add_text(struct bytes *buffer, const char *text) {
  bytes_add(buffer, text, strlen(text));
}

void bytes_add_u32(struct bytes *buffer, uint32_t value) {
  uint8_t raw[4];
  put_u32(raw, value);
  bytes_add(buffer, raw, sizeof raw);
}

void bytes_add_u64(struct bytes *buffer, uint64_t value) {
  uint8_t raw[8];
  put_u64(raw, value);
  bytes_add(buffer, raw, sizeof raw);
}

void bytes_format(struct bytes *buffer, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  // One byte more for the NUL that vsnprintf writes; it is not counted in the buffer's length.
  if (length < 0 || !reserve(buffer, (size_t)length + 1)) {
    buffer->failed = true;
    return;
  }
  va_start(list, format);
  vsnprintf((char *)buffer->data + buffer->length, (size_t)length + 1, format, list);
  va_end(list);
  buffer->length += (size_t)length;
}

void bytes_free(struct bytes *buffer) {
  if (buffer->data) explicit_bzero(buffer->data, buffer->capacity);
  free(buffer->data);
  *buffer = (struct bytes){0};
}

void put_u16(uint8_t *at, uint16_t value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

void put_u32(uint8_t *at, uint32_t value) {
  put_u16(at, (uint16_t)value);
  put_u16(at + 2, (uint16_t)(value >> 16));
}

void put_u64(uint8_t *at, uint64_t value) {
  put_u32(at, (uint32_t)value);
  put_u32(at + 4, (uint32_t)(value >> 32));
}

uint16_t get_u16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }

uint32_t get_u32(const uint8_t *at) {
  return (uint32_t)get_u16(at) | (uint32_t)get_u16(at + 2) << 16;
}

uint64_t get_u64(const uint8_t *at) {
  return (uint64_t)get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}
