// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "json.h"

#include <inttypes.h>

// Length of the UTF-8 sequence at the beginning of a text that ends with NUL; 0 if there is none.
static size_t sequence_length(const unsigned char *text) {
  unsigned char first = text[0];
  size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Of the second byte, too, it depends on the first what may follow (RFC 3629).
  unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : first > 0xf4 ? 0 : 0xbf;
  for (size_t i = 1; i < length; i++) {
    if (text[i] < least || text[i] > most) return 0;
    least = 0x80;
    most = 0xbf;
  }
  return length;
}

// Names of files and classes are what the user made them, and may have been cut; but a reader of
// JSON that is not UTF-8 may refuse all of it. What is none becomes the replacement character.
static void add_quoted(struct bytes *buffer, const char *text) {
  bytes_add_text(buffer, "\"");
  for (size_t length = 1; *text; text += length) {
    unsigned char c = (unsigned char)*text;
    length = sequence_length((const unsigned char *)text);
    if (length == 0) {
      bytes_add_text(buffer, "\\ufffd");
      length = 1;
    } else if (c == '"' || c == '\\') {
      bytes_format(buffer, "\\%c", c);
    } else if (c < 0x20) {
      bytes_format(buffer, "\\u%04x", c);
    } else {
      bytes_add(buffer, text, length);
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

void json_bool(struct bytes *buffer, const char *key, bool value) {
  json_key(buffer, key);
  bytes_add_text(buffer, value ? "true" : "false");
}

void json_null(struct bytes *buffer, const char *key) {
  json_key(buffer, key);
  bytes_add_text(buffer, "null");
}
