// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TOOL_LINE_H_
#define HOTTUB_TOOL_LINE_H_

// The command line of a tool as the JDK 17 launcher understands it.

#include "text.h"
#include "tool.h"

// Adds the command line of java that `args` stand for: a NULL-terminated list without the program.
// Runs cold where the stock launcher looks for arguments of its own among those of the tool.
void tool_translate(const struct tool *tool, char *const *args, struct list *out);

// Adds the properties that the launcher gives to every tool, as options.
void tool_properties(struct list *options);

#endif  // HOTTUB_TOOL_LINE_H_
