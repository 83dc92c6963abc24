// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_AT_EXIT_H_
#define HOTTUB_HOST_AT_EXIT_H_

// At S0, on the thread that runs main: it may end in native code.
void at_exit_remember(void);

// Calls what libraries of the run have given to atexit, destructors of C++ among it, and to
// on_exit, with the status: the last one first, and before any destructor of a library, as exit
// does. Before they are unloaded.
void at_exit_call(int status);

// Of a run that was killed.
void at_exit_forget(void);

#endif  // HOTTUB_HOST_AT_EXIT_H_
