// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SESSION_H_
#define HOTTUB_SESSION_H_

// One run in a pooled JVM, seen from the client.

#include <stdint.h>

#include "inherit.h"

struct offer {
  const struct inheritance *inheritance;
  int block;  // the lease block
  uint64_t block_length;
};

// Blocks the signals that the client forwards; they wait in a descriptor from here on.
void session_block_signals(const struct inheritance *inheritance);

// Offers the run over `socket`, which it closes, and waits `grant_ms` for it to be granted. Ends
// the process in the way the run ended; returns a reason if the run was not entered and never will
// be over this socket.
const char *session_run(int socket, const struct offer *offer, int64_t grant_ms);

#endif  // HOTTUB_SESSION_H_
