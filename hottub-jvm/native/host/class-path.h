// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_CLASS_PATH_H_
#define HOTTUB_HOST_CLASS_PATH_H_

// What the VM keeps of a class path, open jars and classes, is what the fingerprint was made of:
// not a file that has come into its place since then, or was written over.

#include <stdbool.h>
#include <stddef.h>

#include "doubt.h"
#include "lease.h"

// Before a run: a jar that is open, but whose file is not that of this run, is opened where it lies
// for this run. 0, or -1 with a sentence in err.
int class_path_begin(const struct lease *lease, char *err, size_t errlen);

// Between runs: a jar that has been deleted would take up its disk for as long as it is open. The
// next run has it elsewhere.
void class_path_let_go(void);

// After a run: the files of the jars that are open now. has_loaded: the run was the first to load
// some class. Leaves a doubt if a jar from which it may have come is not of the fingerprint.
void class_path_note(const struct lease *lease, const int *jars, size_t count, bool has_loaded,
                     struct doubt *doubt);

// Whether the file at the path is still one that the fingerprint was made of.
bool class_path_has(const struct lease *lease, const char *path);

#endif  // HOTTUB_HOST_CLASS_PATH_H_
