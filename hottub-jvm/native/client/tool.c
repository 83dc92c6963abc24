// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "tool.h"

#include <stddef.h>
#include <string.h>

#include "tools.h"

static const struct tool tools[] = {TOOLS};

const struct tool *tool_named(const char *name) {
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
    if (strcmp(tools[i].name, name) == 0) return &tools[i];
  }
  return NULL;
}
