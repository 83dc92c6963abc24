// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_HOME_H_
#define HOTTUB_HOST_HOME_H_

// Where this HotTub home is.

#include <stddef.h>

// The absolute path of NAME in the home that this program belongs to; 0, or -1.
int home_path(char *path, size_t size, const char *name);

#endif  // HOTTUB_HOST_HOME_H_
