// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ROOM_H_
#define HOTTUB_ROOM_H_

// Which idle JVMs end so that there is room for another one. The rule alone: docs/pool-room.md says
// why it is this one, and the Java library has the same (RoomRule). room.tsv tests both.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pool.h"

struct room_jvm {
  int32_t keeper;
  uint32_t leases;     // served so far
  uint64_t memory_kb;  // resident when it was idle last; 0: not known yet
  int64_t idle_ms;     // -1: in use
  bool kept;           // the pool service wants it to stay, as a recipe's
};

// What a JVM takes of which nothing is known.
#define ROOM_UNKNOWN_KB (64 * 1024)

// How long an idle JVM must have been unused to give way to a run of which nothing is known.
#define ROOM_STRANGER_MS 60000

#define ROOM_MAX_JVMS 1024

// The JVMs that end so that a new one has room: their indexes in the order in which they end, and
// how many; -1 if there is no room to be had. Only those end that have been unused for longer than
// `pays_off_ms`, after which the newcomer's JVM should have a second run.
int room_for_newcomer(const struct room_jvm *jvms, size_t count, const struct pool_limits *limits,
                      int64_t pays_off_ms, size_t *victims);

// The same where idle JVMs hold more memory than they may.
int room_for_idle(const struct room_jvm *jvms, size_t count, const struct pool_limits *limits,
                  size_t *victims);

#endif  // HOTTUB_ROOM_H_
