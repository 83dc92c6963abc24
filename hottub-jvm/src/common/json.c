// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#include "json.h"

#include <inttypes.h>

// Bytes that are no UTF-8 go through unchanged: names of files and classes are what the user made
// them.
static void add_quoted(struct bytes *buffer, const char *text) {
  bytes_add_text(buffer, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      bytes_format(buffer, "\\%c", c);
    } else if (c < 0x20) {
      bytes_format(buffer, "\\u%04x", c);
    } else {
      bytes_add(buffer, &c, 1);
    }
  }
  bytes_add_text(buffer, "\"");
}

void json_key(struct bytes *buffer, const char *key) {
  if (buffer->length && buffer->data[buffer->length - 1] != '{') bytes_add_text(buffer, ",");
  add_quoted(buffer, key);
  bytes_add_text(buffer, ":");
}

void json_text(struct bytes *buffer, const char *key, const char *text) {
  if (!text) {
    json_null(buffer, key);
    return;
  }
  json_key(buffer, key);
  add_quoted(buffer, text);
}

void json_number(struct bytes *buffer, const char *key, int64_t number) {
  json_key(buffer, key);
  bytes_format(buffer, "%" PRId64, number);
}

void json_null(struct bytes *buffer, const char *key) {
  json_key(buffer, key);
  bytes_add_text(buffer, "null");
}
