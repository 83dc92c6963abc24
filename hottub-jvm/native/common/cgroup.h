// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CGROUP_H_
#define HOTTUB_CGROUP_H_

// Control groups, version 1 and 2 (cgroups(7)): what limits they set, and how a JVM gets into the
// groups of the container that it works for. Hierarchies of version 1 that have only a name set no
// limits, and nobody is moved in them.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bytes.h"

// Adds the limits of processor time, memory and tasks for a process; nothing if there are none, or
// no groups. Those that YARN sets for a container have no place, because a JVM can serve containers
// with equal limits, nor has that of tasks; all others have the place where they are set. True if
// YARN has set some of time or memory.
bool cgroup_limits(pid_t process, struct bytes *out);

// How many tasks (processes and threads) the groups of a process have room for; UINT64_MAX if that
// is not limited.
uint64_t cgroup_tasks_left(pid_t process);

// Adds the groups of a process by which others end processes: those of version 2 and of systemd,
// and what freezes. Nothing where it is in no group. True if one is a scope of systemd.
bool cgroup_places(pid_t process, struct bytes *out);

// Whether a JVM can come into the groups of the container that this process is in, and be elsewhere
// when it has done its work for it. True outside containers.
bool cgroup_may_be_joined(void);

// Moves a process to the groups of another one. Returns in how many hierarchies it has been moved;
// *failed tells in how many that was not possible.
int cgroup_follow(pid_t process, pid_t other, int *failed);

// Moves this process out of groups that YARN has made for a container, which end with it, into the
// group CGROUP_IDLE beside them, where there is one and it may be joined. What is counted is as for
// cgroup_follow.
int cgroup_leave_container(int *failed);

#define CGROUP_IDLE "hottub"

#endif  // HOTTUB_CGROUP_H_
