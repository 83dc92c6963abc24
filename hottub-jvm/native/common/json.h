// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JSON_H_
#define HOTTUB_JSON_H_

// Just enough JSON to write flat objects.

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

// Adds `"key":`, after a comma unless the buffer ends with an opening brace.
void json_key(struct bytes *buffer, const char *key);

// Adds a key and a value: null for a NULL text.
void json_text(struct bytes *buffer, const char *key, const char *text);
void json_number(struct bytes *buffer, const char *key, int64_t number);
void json_bool(struct bytes *buffer, const char *key, bool value);
void json_null(struct bytes *buffer, const char *key);

#endif  // HOTTUB_JSON_H_
