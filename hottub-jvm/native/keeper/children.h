// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_KEEPER_CHILDREN_H_
#define HOTTUB_KEEPER_CHILDREN_H_

// Processes that a run has started and that would be in the process group of a stock JVM: they are
// in that of the pooled one, which has nobody else in it.

#include "keeper.h"

// Sends them a signal, but not the JVM. One that stops is SIGSTOP for those that do not catch or
// ignore it: the kernel would not stop a process of this group otherwise.
void children_signal(const struct keeper *k, int number);

bool children_are_left(const struct keeper *k);

#endif  // HOTTUB_KEEPER_CHILDREN_H_
