// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ATTRIBUTES_H_
#define HOTTUB_ATTRIBUTES_H_

// Attributes of a process and of its main thread that few programs set: who it is, what it may do,
// what it sees. Much of that cannot be taken back.

enum attributes {
  ATTRIBUTES_ALL,
  ATTRIBUTES_INHERITED,  // what a program gets from the process that starts it
};

// Those of the calling process and thread, one a line. To be freed; NULL if there is no memory.
char *attributes_describe(enum attributes which);

#endif  // HOTTUB_ATTRIBUTES_H_
