// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_COPY_H_
#define HOTTUB_HOST_COPY_H_

// A copy of this process, as the child of a new process that executes a program: its keeper. The
// keeper is a child of our own parent and shares nothing with us.

#include <stddef.h>
#include <sys/types.h>

enum { COPY_FIRST_FD = 3, COPY_MAX_FDS = 8 };

struct copy_plan {
  const char *program;
  char *const *arguments;
  char *pid_text;  // one of the arguments, room for 12 characters: gets the pid of the copy
  // Of the program, with the numbers from COPY_FIRST_FD on. Its other descriptors are 0 to 2.
  int fds[COPY_MAX_FDS];
  size_t fd_count;
  int *noted_id;  // where the C library has the id of the calling thread
};

// 0 in the copy, which has only the calling thread, in a session of its own, and dies with its
// parent. 1 in this process; -1 with errno if there is no copy.
int copy_make(struct copy_plan *plan);

#endif  // HOTTUB_HOST_COPY_H_
