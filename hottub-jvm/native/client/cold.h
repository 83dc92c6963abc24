// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_COLD_H_
#define HOTTUB_COLD_H_

// The way out that is always open: become the stock launcher.

#include <stdint.h>
#include <sys/types.h>

#include "reason.h"
#include "tool.h"

// Remembers how this process was started. To be called first; ends the process if the home cannot
// be found.
void cold_prepare(char **argv);

// The HotTub home: the folder above the one this program lies in, without symbolic links.
const char *cold_home(void);

// The tool that this program was started as, whatever the caller calls it; NULL for java, and under
// any other name.
const struct tool *cold_tool(void);

// Signals that this process ignores for itself: a run does not inherit that.
uint64_t cold_own_ignored(void);

// The umask of the caller. Ours leaves the owner all rights.
mode_t cold_umask(void);

// Signal mask that a cold run gets back (the one this process was started with).
void cold_restore_mask(uint64_t mask);

// Replaces this process by <home>/bin/java-cold (or javac-cold ...) with the original arguments and
// environment. `reason` goes into the trace.
_Noreturn void run_cold(enum cold_reason reason);

// For a process that is forked from this one and is not the run: gives it another name, so that who
// looks for the run by its command line (pkill -f) does not find it.
void cold_hide_command(const char *name);

#endif  // HOTTUB_COLD_H_
