// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "doubt.h"

#include <stdarg.h>
#include <stdio.h>

void doubt_because(struct doubt *doubt, const char *sentence, ...) {
  va_list arguments;
  va_start(arguments, sentence);
  vsnprintf(doubt->text, sizeof doubt->text, sentence, arguments);
  va_end(arguments);
}
