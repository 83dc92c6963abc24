// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_COUNTERS_H_
#define HOTTUB_COUNTERS_H_

// The file of HotSpot's performance counters, by which jps, jstat, jcmd and others find a process.
// Its name is a pid. While there is a run it is that of the client, which is the process that
// others know.

#include "keeper.h"

// The folder of the file, as the JVM has told it.
void counters_are_in(struct keeper *k, const char *folder);

// Somebody has removed the file, as those who clean up in /tmp do: no tool finds the JVM any more.
// Between runs.
bool counters_are_lost(const struct keeper *k);

// Gives the file the client's pid for its name.
void counters_show(struct keeper *k);

// Gives it that of the JVM again; if there is no JVM any more, it goes.
void counters_hide(struct keeper *k);

#endif  // HOTTUB_COUNTERS_H_
