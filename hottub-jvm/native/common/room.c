// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "room.h"

#include <string.h>

// More leases than this make no JVM more useful: else one that was wanted often would stay for
// hours after the last one.
#define LEASES_COUNTED 8

static uint64_t memory_kb(const struct room_jvm *jvm) {
  return jvm->memory_kb ? jvm->memory_kb : ROOM_UNKNOWN_KB;
}

// Memory that was held for nothing, for how long, for each lease.
static double waste(const struct room_jvm *jvm) {
  uint32_t leases = jvm->leases < 1                ? 1
                    : jvm->leases > LEASES_COUNTED ? LEASES_COUNTED
                                                   : jvm->leases;
  return (double)jvm->idle_ms * (double)memory_kb(jvm) / leases;
}

static bool goes_before(const struct room_jvm *one, const struct room_jvm *other) {
  if (one->kept != other->kept) return other->kept;
  if (waste(one) != waste(other)) return waste(one) > waste(other);
  return one->keeper < other->keeper;
}

// The next one after `last` (NULL: the first one) in the order in which they go.
static const struct room_jvm *next_to_go(const struct room_jvm *jvms, size_t count,
                                         const struct room_jvm *last, int64_t unused_ms) {
  const struct room_jvm *next = NULL;
  for (const struct room_jvm *jvm = jvms; jvm < jvms + count; jvm++) {
    if (jvm->idle_ms < 0 || jvm->idle_ms <= unused_ms) continue;
    if (last && !goes_before(last, jvm)) continue;
    if (!next || goes_before(jvm, next)) next = jvm;
  }
  return next;
}

// Lets them go until neither are too many, nor too much memory.
static int let_go(const struct room_jvm *jvms, size_t count, size_t jvms_over, int64_t kb_over,
                  int64_t unused_ms, size_t *victims) {
  const struct room_jvm *last = NULL;
  size_t gone = 0;
  while (gone < jvms_over || kb_over > 0) {
    last = next_to_go(jvms, count, last, unused_ms);
    if (!last) return -1;
    kb_over -= (int64_t)memory_kb(last);
    victims[gone++] = (size_t)(last - jvms);
  }
  return (int)gone;
}

int room_for_newcomer(const struct room_jvm *jvms, size_t count, const struct pool_limits *limits,
                      int64_t pays_off_ms, size_t *victims) {
  uint64_t kb = 0, known_kb = 0, known = 0;
  for (size_t i = 0; i < count; i++) {
    kb += memory_kb(&jvms[i]);
    if (jvms[i].memory_kb == 0) continue;
    known_kb += jvms[i].memory_kb;
    known++;
  }
  kb += known ? known_kb / known : ROOM_UNKNOWN_KB;
  size_t jvms_over = count + 1 > limits->max_jvms ? count + 1 - limits->max_jvms : 0;
  return let_go(jvms, count, jvms_over, (int64_t)kb - (int64_t)limits->memory_kb, pays_off_ms,
                victims);
}

int room_for_idle(const struct room_jvm *jvms, size_t count, const struct pool_limits *limits,
                  size_t *victims) {
  uint64_t kb = 0;
  for (size_t i = 0; i < count; i++) {
    if (jvms[i].idle_ms >= 0) kb += memory_kb(&jvms[i]);
  }
  return let_go(jvms, count, 0, (int64_t)kb - (int64_t)limits->memory_kb, -1, victims);
}
