// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_TEMPLATE_H_
#define HOTTUB_HOST_TEMPLATE_H_

// A template: this process, trained and at S0, held still for good. Copies of it serve one run
// each.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Makes this process a template. False, and then it goes on, with a sentence in err: something of
// it cannot be copied, or is shared by a process with its copies. The descriptors in `passing` do
// not stay.
bool template_freeze(int control, const int *passing, size_t passing_count, char *err,
                     size_t errlen);

// Makes a clone and its keeper, which gets generation, user_dir and connection; connection may be
// -1. 1 in the template, with the clone under way; 0 in the clone, whose threads are held until
// template_thaw; -1 in the template with a sentence in err.
int template_clone(const char *fingerprint, uint32_t generation, int user_dir, int connection,
                   char *err, size_t errlen);

// In the clone: its threads go on.
void template_thaw(void);

#endif  // HOTTUB_HOST_TEMPLATE_H_
