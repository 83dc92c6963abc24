// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_INVOCATION_H_
#define HOTTUB_HOST_INVOCATION_H_

// JNI's invocation interface, as native code of a run finds it.

#include <jni.h>

enum invocation {
  INVOCATION_OPEN,
  INVOCATION_CLOSED,  // the run ends: a thread that attaches itself waits for the end of the
                      // process
  INVOCATION_OVER,    // as after DestroyJavaVM: nobody is attached, and nobody can be
};

// At S0.
void invocation_remember(JNIEnv *env);

void invocation_set(enum invocation state);

#endif  // HOTTUB_HOST_INVOCATION_H_
