// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CONNECTION_H_
#define HOTTUB_CONNECTION_H_

// The connections of clients and of the pool service.

#include <stddef.h>
#include <stdint.h>

#include "keeper.h"

// Makes a connection of a socket, or closes it: NULL.
struct connection *connection_add(struct keeper *k, int fd);

// The next connection to a listener, or NULL. *tries counts them up to the number of slots, so that
// a flood of connections cannot keep us from the JVM.
struct connection *connection_accept(struct keeper *k, int listener, int *tries);

// Calls client_gone of the keeper if it was the client of the run.
void connection_close(struct keeper *k, struct connection *c);

// Closes those whose deadline has passed.
void connection_expire(struct keeper *k);

// Gives it a deadline for what it sends next.
void connection_answered(struct connection *c);

// Every answer is sent without waiting: a peer that does not read loses its connection, never the
// keeper's time.
void connection_send(struct keeper *k, struct connection *c, enum frame_type type,
                     const uint32_t *values, size_t count);
void connection_send_text(struct keeper *k, struct connection *c, enum frame_type type,
                          const void *text, size_t length);

#endif  // HOTTUB_CONNECTION_H_
