// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SYSTEM_FILES_H_
#define HOTTUB_SYSTEM_FILES_H_

// Files of the machine that a process reads once, when it starts or when it first needs them: the
// list "paths" of state.tsv names them. A JVM that was there before they changed, as by an update
// of packages, is not what a new process would be.

#include "bytes.h"

// Adds what a process that starts now would find, for the fingerprint. Runs cold where the dynamic
// linker puts libraries into every process of the machine.
void system_files_describe(struct bytes *out);

#endif  // HOTTUB_SYSTEM_FILES_H_
