// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SESSION_H_
#define HOTTUB_SESSION_H_

// One run in a pooled JVM, seen from the client.

#include <stdbool.h>
#include <stdint.h>

#include "inherit.h"
#include "pool.h"
#include "reason.h"

struct offer {
  const struct inheritance *inheritance;
  int input;  // handed over as descriptor 0
  int block;  // the lease block
  uint64_t block_length;
};

// Blocks the signals that the client forwards; they wait in a descriptor from here on.
void session_block_signals(const struct inheritance *inheritance);

struct session {
  int socket;
  int token;
  int handover;  // with the lease block, the token and what the run inherits; -1: none
  bool entered;
  bool traced;
  int64_t deadline;
  uint32_t jvm_pid, run;
  enum isolation isolation;
  const struct inheritance *inheritance;
  enum cold_reason
      reason;  // why the run will not be entered over this socket, as soon as it is known
};

// Offers the run over `socket`, and hands over the `claim` to the JVM with it (-1: none); it is to
// be granted within `grant_ms`.
void session_offer(struct session *session, int socket, const struct offer *offer, int claim,
                   int64_t grant_ms);

// The keeper cannot be reached any more: takes the offer back, unless a JVM has taken it.
void session_withdraw(struct session *session);

// Waits, and ends the process in the way the run ended. Closes the session and returns a reason if
// the run was not entered and never will be over its socket.
enum cold_reason session_wait(struct session *session);

#endif  // HOTTUB_SESSION_H_
