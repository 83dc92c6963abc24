// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_LAUNCH_H_
#define HOTTUB_LAUNCH_H_

// The command line as the JDK 17 launcher understands it.

#include "bytes.h"
#include "lease.h"
#include "text.h"
#include "tool.h"

struct launch {
  enum lease_mode mode;
  char *main;        // class, jar or module, as given; NULL if there is none
  bool is_source;    // the module that compiles a source file, which has a class path in any case
  struct list args;  // of the program
  struct list
      options;  // every VM option in the order in which the VM obeys them: the last one wins
  struct bytes notice;  // what the launcher and the VM say on stderr about variables that they read
};

// Fills *launch, or runs cold: an error in the command line is the stock launcher's to report.
// `tool` is NULL for java itself.
void launch_parse(char **argv, const struct tool *tool, struct launch *launch);

#endif  // HOTTUB_LAUNCH_H_
