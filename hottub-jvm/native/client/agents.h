// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_AGENTS_H_
#define HOTTUB_AGENTS_H_

// -javaagent: the agents that a pooled JVM starts in a run, as a stock JVM does before main.

#include "launch.h"
#include "options.h"

// Adds the agents of `options` to class path, late and boot options; runs cold if the pool's owner
// does not vouch for one of them, or if it wants what only a JVM of its own can give.
void agents_resolve(int user_dir, const struct launch *launch, struct options *options);

#endif  // HOTTUB_AGENTS_H_
