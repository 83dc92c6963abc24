// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FAULTS_CLOCK_H_
#define HOTTUB_FAULTS_CLOCK_H_

// Lets the wall clock of one process jump, whatever it is linked with: its C library asks the vdso,
// and this changes the process's own copy of that. What the kernel does by itself (times of files,
// waiting until a time of day) keeps to the true clock, and so do programs that the process
// becomes.

#include <sys/types.h>

// From now on the process sees the true time plus so many seconds. `held` is the thread of it that
// the caller has stopped with ptrace. Prints what is wrong and ends the program if it cannot.
void clock_jump(pid_t process, pid_t held, long seconds);

#endif  // HOTTUB_FAULTS_CLOCK_H_
