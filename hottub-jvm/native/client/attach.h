// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_ATTACH_H_
#define HOTTUB_ATTACH_H_

// Tools of the JDK (jcmd, jstack, jmap) that are told the client's pid, and are to get to the JVM
// of the run: they ask by a file and SIGQUIT, and then look for a socket.

#include <stdbool.h>
#include <stdint.h>

// Whether SIGQUIT has come from one of them.
bool attach_is_wanted(void);

// Leads them to that JVM; true if SIGQUIT should tell it so.
bool attach_lead_to(uint32_t jvm);

// Before the client ends.
void attach_end(void);

#endif  // HOTTUB_ATTACH_H_
