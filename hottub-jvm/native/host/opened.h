// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_OPENED_H_
#define HOTTUB_HOST_OPENED_H_

#include <stdbool.h>

// Whether code of the run has opened a library with this file name.
bool opened_has(const char *name);

// Closes what native code of the run has opened by dlopen and left open, as the end of a process
// does. After the libraries are unloaded that the class library has loaded for the run. False if
// libraries that are left may be those of the class library, or of a service of libc.
bool opened_close(void);

#endif  // HOTTUB_HOST_OPENED_H_
