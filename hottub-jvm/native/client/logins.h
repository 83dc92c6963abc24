// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_LOGINS_H_
#define HOTTUB_LOGINS_H_

// What systemd's logind does when a user logs out (logind.conf(5)).

#include <stdbool.h>

// Whether it ends what the user has started: KillUserProcesses is set somewhere.
bool logins_end_processes(void);

#endif  // HOTTUB_LOGINS_H_
