// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_DESCRIPTORS_H_
#define HOTTUB_HOST_DESCRIPTORS_H_

// The descriptors of a run, and those of the JVM itself.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "doubt.h"

// One lease on its way from the keeper to main.
struct start {
  int fds[CONTROL_MAX_DESCRIPTORS];  // lease block, token, then one for each target
  size_t fd_count;
  int targets[CONTROL_MAX_DESCRIPTORS];
  size_t target_count;
  uint64_t block_length;
  pid_t client;  // 0 if its pid means nothing here
};

// Keeps low numbers free for applications: while the VM is created, and never after.
void descriptors_reserve(void);
void descriptors_release(void);

// What is open now is the JVM's own. At S0. False with err if it cannot be found out.
bool descriptors_remember(int control, char *err, size_t errlen);

// Moves the received descriptors to the numbers that they have in the client. On -1 err says why.
int descriptors_place(struct start *start, char *err, size_t errlen);

// Gives up what the run had open, but for those in kept (sorted or not). The numbers stay occupied
// by /dev/null: objects of the run that are still to be collected may close them. Leaves a doubt if
// the descriptors cannot be seen. Threads of the VM may have no file open for a moment: it would be
// taken for the run's, and its number closed twice.
void descriptors_give_up(const int *kept, size_t count, struct doubt *doubt);

// A copy of a descriptor with a number above those that runs inherit; the descriptor itself if its
// number is that high already, or there is no other.
int descriptors_lift(int number);

// After the collection, under the same conditions: the numbers are free again.
void descriptors_free_numbers(const int *kept, size_t count, struct doubt *doubt);

// The number stays, of an empty file.
bool descriptors_empty(int number);

#endif  // HOTTUB_HOST_DESCRIPTORS_H_
