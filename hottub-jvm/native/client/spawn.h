// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SPAWN_H_
#define HOTTUB_SPAWN_H_

#include <stdbool.h>

#include "inherit.h"
#include "pool.h"
#include "text.h"

struct spawn {
  const struct inheritance *inheritance;
  const struct list *environment;  // of the keeper and its JVM
  const struct list *options;      // of the JVM
  const char *fingerprint;
  enum isolation isolation;  // clone: the JVM may become a template
  int user_dir;
  int lock;  // the start lock: held by the keeper until its socket can be counted
};

// Starts a keeper as nobody's child, in a session of its own, with its end of its first connection,
// which is closed here. False: it could not be started.
bool spawn_keeper(const struct spawn *spawn, int connection);

#endif  // HOTTUB_SPAWN_H_
