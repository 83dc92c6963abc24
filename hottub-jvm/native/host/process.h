// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_PROCESS_H_
#define HOTTUB_HOST_PROCESS_H_

// What a process inherits, and a run changes of it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"
#include "doubt.h"
#include "lease.h"

// One lease on its way from the keeper to main.
struct start {
  int fds[CONTROL_MAX_DESCRIPTORS];  // lease block, token, then one for each target
  size_t fd_count;
  int targets[CONTROL_MAX_DESCRIPTORS];
  size_t target_count;
  uint64_t block_length;
};

// Keeps low descriptor numbers free for applications: while the VM is created, and never after.
void process_reserve_descriptors(void);
void process_release_descriptors(void);

// Remembers the state that every run starts from and every reset comes back to. At S0.
void process_remember(int control);

// Gives the process what the lease says. On -1 nothing of it is in force any more; err says why.
int process_apply(const struct lease *lease, struct start *start, char *err, size_t errlen);

// What native code of the run has written to streams of the C library is written out, as by the
// end of a process, or dropped, as by a signal that ends it.
void process_end_streams(bool write_out);

// The run is over: takes everything back and gives up what it had open, but for the descriptors in
// kept (sorted or not). The numbers stay occupied by /dev/null: objects of the run that are
// still to be collected may close them. False with a doubt if something could not be taken back.
bool process_end_run(const int *kept, size_t count, struct doubt *doubt);

// A copy of a descriptor with a number above those that runs inherit; the descriptor itself if its
// number is that high already, or there is no other.
int process_lift_descriptor(int number);

// After the collection: the numbers are free again.
void process_free_numbers(const int *kept, size_t count);

// Takes notice of child processes that have ended. False with a doubt if one of the run still
// lives: it is to have no parent, and the next run no child.
bool process_has_no_children(struct doubt *doubt);

#endif  // HOTTUB_HOST_PROCESS_H_
