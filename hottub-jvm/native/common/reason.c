// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "reason.h"

const char *cold_word(enum cold_reason reason) {
  static const char *const words[] = {COLD_WORDS};
  return words[reason];
}

const char *retired_word(enum retired_reason reason) {
  static const char *const words[] = {RETIRED_WORDS};
  return words[reason];
}
