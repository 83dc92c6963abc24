// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JVM_COMMAND_H_
#define HOTTUB_JVM_COMMAND_H_

// The command line of the pooled JVM.

#include "keeper.h"

// The program and its arguments, or NULL. They stay allocated: a keeper starts one JVM.
char **jvm_command(struct keeper *k);

#endif  // HOTTUB_JVM_COMMAND_H_
