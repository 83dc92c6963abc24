// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CONTROL_H_
#define HOTTUB_CONTROL_H_

// Messages between the keeper and its pooled JVM: one datagram of a SOCK_SEQPACKET pair each.
// docs/protocol.md, "Control socket", is the contract.

#include <stddef.h>
#include <stdint.h>

#define CONTROL_MAX_TEXT 4000
#define CONTROL_MAX_DESCRIPTORS 242  // lease block, token, 240 descriptors of the run

enum control_type {
  CONTROL_READY = 1,
  CONTROL_START = 2,
  CONTROL_ENTERED = 3,
  CONTROL_FALLBACK = 4,
  CONTROL_ENDED = 5,
  CONTROL_CLEAN = 6,
  CONTROL_DOUBT = 7,
  CONTROL_REVOKE = 8,
  CONTROL_RETIRE = 9,
  CONTROL_AUDIT = 10,
  CONTROL_AUDITED = 11,
  CONTROL_ENDING = 12,
  CONTROL_CHILDREN = 13,
  CONTROL_CLONE = 14,
  CONTROL_CLONED = 15,
  CONTROL_COMPILED = 16,
  CONTROL_CRASHED = 17,
  CONTROL_CONFLICT = 18,
  CONTROL_EXITING = 19,
};

// Values of CLONED.
enum cloned {
  CLONED_BEGUN = 0,    // a clone has begun
  CLONED_NEVER = 1,    // the JVM cannot be a template
  CLONED_REFUSED = 2,  // the kernel has refused this one
};

struct control_message {
  uint32_t type;
  uint32_t value;
  uint64_t a;
  uint64_t b;
  uint32_t text_length;
  char text[CONTROL_MAX_TEXT + 1];  // a received text is always NUL-terminated
};

// Sends one message with `fd_count` descriptors. 0, or -1 with errno (EMSGSIZE: text or descriptors
// over the limit).
int control_send(int fd, const struct control_message *message, const int *fds, size_t fd_count);

// Sends a message without descriptors; text may be NULL and is cut at CONTROL_MAX_TEXT.
int control_say(int fd, enum control_type type, uint32_t value, uint64_t a, const char *text);

// Receives one message. *fd_count is the room in fds before and the number of descriptors (all
// close-on-exec) after. 1 message, 0 end of the other side, -1 errno (EAGAIN: nothing there;
// EPROTO: malformed, its descriptors are closed).
int control_receive(int fd, struct control_message *message, int *fds, size_t *fd_count);

#endif  // HOTTUB_CONTROL_H_
