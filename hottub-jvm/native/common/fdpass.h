// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FDPASS_H_
#define HOTTUB_FDPASS_H_

// Bytes and descriptors over a Unix socket in one call (SCM_RIGHTS).

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

// The kernel's own limit for one message (SCM_MAX_FD).
#define FDPASS_MAX 253

// sendmsg with MSG_NOSIGNAL. Bytes sent, or -1 with errno.
ssize_t fdpass_send(int socket, struct iovec *parts, size_t part_count, const int *fds,
                    size_t fd_count);

// recvmsg. *fd_count is the room in fds before and the number of descriptors received
// (close-on-exec) after. Bytes received, or -1 with errno; EPROTO when bytes or descriptors did not
// fit, or came with anything else: then all are closed.
ssize_t fdpass_receive(int socket, struct iovec *parts, size_t part_count, int *fds,
                       size_t *fd_count);

// Closes and forgets: every element becomes -1.
void fdpass_close(int *fds, size_t count);

#endif  // HOTTUB_FDPASS_H_
