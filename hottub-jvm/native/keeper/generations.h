// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_GENERATIONS_H_
#define HOTTUB_GENERATIONS_H_

// Generations of templates. What a template was trained with may not be what its clones run: then a
// copy of it is trained further, in reuse, and follows it as the template.

#include "keeper.h"

// Of a template: a clone has ended its run, and had compiled so many methods.
void generations_ran(struct keeper *k, uint32_t compilations);

// Whether the JVM is trained to follow another template.
bool generations_follows(const struct keeper *k);

// The JVM is the template, with a first clone: the one before it ends, and with it the clones of
// that one that wait for a run.
void generations_succeed(struct keeper *k);

#endif  // HOTTUB_GENERATIONS_H_
