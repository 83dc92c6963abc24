// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "attributes-check.h"

#include <stdlib.h>
#include <string.h>

#include "attributes.h"

static char *at_start;

void attributes_remember(void) { at_start = attributes_describe(ATTRIBUTES_ALL); }

bool attributes_are_as_before(struct doubt *doubt) {
  char *now = attributes_describe(ATTRIBUTES_ALL);
  if (!now || !at_start) {
    doubt_because(doubt, DOUBT_NO_MEMORY_TO_COMPARE_THE_ATTRIBUTES_OF_THE_PROCESS);
    free(now);
    return false;
  }
  size_t same = 0;
  for (size_t i = 0; now[i] && now[i] == at_start[i]; i++) {
    if (now[i] == '\n') same = i + 1;
  }
  bool is_same = strcmp(now + same, at_start + same) == 0;
  if (!is_same) {
    doubt_because(doubt, DOUBT_THE_RUN_HAS_CHANGED_ITS_PROCESS_WHICH_HAD,
                  (int)strcspn(at_start + same, "\n"), at_start + same,
                  (int)strcspn(now + same, "\n"), now + same);
  }
  free(now);
  return is_same;
}
