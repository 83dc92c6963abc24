// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SPAWN_H_
#define HOTTUB_SPAWN_H_

#include "inherit.h"
#include "text.h"

struct spawn {
  const struct inheritance *inheritance;
  const struct list *environment;  // of the keeper and its JVM
  const struct list *options;      // of the JVM
  const char *fingerprint;
  int user_dir;
  int lock;  // the start lock: held by the keeper until its socket can be counted
};

// Starts a keeper as nobody's child, in a session of its own. Returns our end of its first
// connection, or -1.
int spawn_keeper(const struct spawn *spawn);

#endif  // HOTTUB_SPAWN_H_
