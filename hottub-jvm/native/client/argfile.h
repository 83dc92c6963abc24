// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ARGFILE_H_
#define HOTTUB_ARGFILE_H_

// Where arguments come from besides the command line: @argfiles and variables of the environment.

#include <stdbool.h>

#include "text.h"

// Splits the text of an @argfile: quotes, backslashes inside quotes, comments and continued lines
// as the JDK's launcher reads them.
void argfile_split(const char *text, size_t length, struct list *out);

// Splits the value of JDK_JAVA_OPTIONS, JAVA_TOOL_OPTIONS or _JAVA_OPTIONS: white space separates,
// quotes protect, nothing escapes. False: a quote is not closed.
bool variable_split(const char *value, struct list *out);

#endif  // HOTTUB_ARGFILE_H_
