// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// JSON with texts that others have chosen: names of classes and containers, words of the JVM.
// Input: two texts, separated by NUL.

#include "json.h"

#include <string.h>

#include "fuzz.h"

const bool target_frees_memory = true;

void target_prepare(void) {}

// End of the string that begins at `at`.
static const uint8_t *skip_string(const uint8_t *at, const uint8_t *end) {
  EXPECT(at < end && *at == '"');
  for (at++; at < end && *at != '"'; at++) {
    EXPECT(*at >= 0x20);
    if (*at != '\\') continue;
    at++;
    EXPECT(at < end && strchr("\"\\u", *at));
    if (*at != 'u') continue;
    for (int i = 0; i < 4; i++) EXPECT(++at < end && strchr("0123456789abcdef", *at));
  }
  EXPECT(at < end);
  return at + 1;
}

void target_run(const uint8_t *data, size_t size) {
  char texts[2][512] = {"", ""};
  const uint8_t *middle = memchr(data, 0, size);
  size_t first = middle ? (size_t)(middle - data) : size;
  memcpy(texts[0], data, first < 511 ? first : 511);
  if (middle) memcpy(texts[1], middle + 1, size - first - 1 < 511 ? size - first - 1 : 511);

  struct bytes json = {0};
  bytes_add_text(&json, "{");
  json_text(&json, "a", texts[0]);
  json_text(&json, texts[1], NULL);
  json_number(&json, "n", -1);
  bytes_add_text(&json, "}");
  EXPECT(!json.failed && fuzz_is_utf8(json.data, json.length));
  const uint8_t *at = json.data, *end = json.data + json.length;
  EXPECT(memcmp(at, "{\"a\":", 5) == 0);
  at = skip_string(at + 5, end);
  EXPECT(*at == ',');
  at = skip_string(at + 1, end);
  EXPECT(end - at == 13 && memcmp(at, ":null,\"n\":-1}", 13) == 0);
  bytes_free(&json);
}
