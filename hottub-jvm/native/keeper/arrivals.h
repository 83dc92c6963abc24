// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ARRIVALS_H_
#define HOTTUB_ARRIVALS_H_

// What clients, the pool service and the JVM send, made into events for the table.

#include "keeper.h"

// New connections: to the socket for anybody, to that where runs are offered, which have been sent
// already, and of those who only wake us.
void arrivals_accept(struct keeper *k);
void arrivals_accept_offers(struct keeper *k);
void arrivals_accept_wakers(struct keeper *k);

// One frame, or a part of it.
void arrivals_read_connection(struct keeper *k, struct connection *c);

// One message.
void arrivals_read_jvm(struct keeper *k);

// Its end, if it has ended.
void arrivals_reap_jvm(struct keeper *k);

#endif  // HOTTUB_ARRIVALS_H_
