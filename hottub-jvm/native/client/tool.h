// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TOOL_H_
#define HOTTUB_TOOL_H_

// The tools of the JDK that the client stands for besides java: javac and others. Each is the stock
// launcher with arguments compiled in. The table is tools.tsv.

#include <stdbool.h>

struct tool {
  const char *name;
  const char *options;  // of the VM, white space between them
  const char *main;     // module/class
  bool expands_wildcards;
  bool expands_argfiles;
  bool only_prints;  // reads nothing of a terminal
};

// The tool of this name, or NULL.
const struct tool *tool_named(const char *name);

#endif  // HOTTUB_TOOL_H_
