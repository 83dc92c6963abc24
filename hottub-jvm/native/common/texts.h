// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_TEXTS_H_
#define HOTTUB_TEXTS_H_

// A list of texts for another program of ours, in a sealed memfd: unlike arguments, no other user
// can read them in /proc.

#include <stddef.h>

// The descriptor, close-on-exec, or -1 with errno.
int texts_write(char *const *texts, size_t count);

// Closes the descriptor. The list ends with NULL and is to be freed as a whole; NULL with errno.
char **texts_read(int fd, size_t *count);

#endif  // HOTTUB_TEXTS_H_
