// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_AGENTS_H_
#define HOTTUB_HOST_AGENTS_H_

// Agents of the command line (-javaagent), started in each run as a stock JVM starts them before
// main. The JDK's library for them (libinstrument) makes its environment in the VM (JVMTI) only
// when an agent uses its Instrumentation, and the JVM then ends with the run.

#include <jni.h>
#include <stdbool.h>

#include "hottubExports.h"
#include "lease.h"

// Whether a JVM with these options may serve runs with agents.
bool agents_are_wanted(char *const *options, int count);

// The native methods by which agents reach libinstrument; their number, or -1 if this JDK is not
// supported. Before S0.
int agents_natives(JNIEnv *env, const HotTubNative **all);

// Whether an option of the lease names an agent.
bool agents_is_option(const char *option);

// Calls the premain of each agent. False if one of them has ended the run. One that throws ends the
// process, as on a stock JVM.
bool agents_start(JNIEnv *env, const struct lease *lease);

#endif  // HOTTUB_HOST_AGENTS_H_
