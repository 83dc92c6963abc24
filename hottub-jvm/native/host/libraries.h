// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_LIBRARIES_H_
#define HOTTUB_HOST_LIBRARIES_H_

// Native libraries of runs.

#include <link.h>
#include <stdbool.h>

#include "doubt.h"

enum library_rule { LIBRARY_RETIRE, LIBRARY_KEEP };

// Shell patterns for file names: a run that has loaded one of these retires the JVM; these may stay
// loaded. -1 if there are too many. The pattern is not copied.
int libraries_add_rule(enum library_rule rule, const char *pattern);

// At S0.
void libraries_remember(void);

// Whether code of the run has opened a library with this file name.
typedef bool libraries_opened(const char *name);

// Before its libraries are unloaded, and after a reset. False with a doubt.
bool libraries_may_be_reset(libraries_opened *has_opened, struct doubt *doubt);
bool libraries_are_gone(struct doubt *doubt);

// Whether it is of the JVM, or one that may stay loaded after a run; so are all before S0. NULL:
// code that was made at run time.
bool libraries_may_stay(const struct link_map *library);

// Whether the run has loaded any, but of the JDK.
bool libraries_run_has_any(void);

// By its path or name: of the JDK, or may stay loaded.
bool libraries_is_kept(const char *name);

// The library that this code is of. NULL: it was made at run time, or its library is unloaded.
const struct link_map *libraries_holding(const void *code);

// Whether the code belongs to what goes with the run.
bool libraries_is_of_run(const void *code);

// Whether the code is of this program or the VM, which load what Java code asks for.
bool libraries_is_of_vm(const void *code);

#endif  // HOTTUB_HOST_LIBRARIES_H_
