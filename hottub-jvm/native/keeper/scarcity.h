// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SCARCITY_H_
#define HOTTUB_SCARCITY_H_

// Idle JVMs have what nobody else on the machine needs. Where hardly any memory is left they end,
// those first that have been idle for longest. Each keeper sees to that itself: limits are those of
// one user, and no process without rights sees the pools of all.

#include "keeper.h"

// Whether the JVM, which is idle or a template, has to end now, also since nobody finds it any more
// (endpoint_is_lost). To be called whenever the keeper is awake, at least every few seconds.
bool scarcity_ends(struct keeper *k);

#endif  // HOTTUB_SCARCITY_H_
