// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_C_LIBRARY_H_
#define HOTTUB_C_LIBRARY_H_

// What functions of the C library remember from one call to the next, of native code of a run.

// At S0.
void c_library_remember(void);

// After the environment of the run is there.
void c_library_begin(void);

// When libraries of the run are unloaded: everything is as in a process that has just begun.
void c_library_reset(void);

#endif  // HOTTUB_C_LIBRARY_H_
