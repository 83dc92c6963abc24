// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CLASSPATH_H_
#define HOTTUB_CLASSPATH_H_

#include "text.h"

// Whether the next argument is a class path.
bool is_class_path_option(const char *arg);

// Expands wildcards (dir/*) in a class path as the JDK's launcher does: to the names ending in .jar
// or .JAR, in the order of readdir; what matches nothing, and what exists under that very name,
// stays as it is.
char *class_path_expand(const char *path);

// Splits an expanded class path into absolute entries in the user's own spelling. An empty entry is
// the working directory.
void class_path_split(const char *path, const char *cwd, struct list *out);

// `path` below `cwd`, unless it is absolute already.
char *absolute_path(const char *path, const char *cwd);

// The entries with all symbolic links resolved, joined for the command line of a new JVM; what does
// not exist stays as it is. Runs cold if that path cannot be written with colons.
char *class_path_real(const struct list *entries);

#endif  // HOTTUB_CLASSPATH_H_
