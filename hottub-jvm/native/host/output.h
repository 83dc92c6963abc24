// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_OUTPUT_H_
#define HOTTUB_HOST_OUTPUT_H_

// What the VM says while it starts.

// Warnings about options and modules: a stock JVM gives them in every run. Between these two calls,
// what is written to stdout and stderr is kept; then it also goes where it would have gone.
void output_keep(void);
void output_release(void);

// Says it again, to the run that begins.
void output_repeat(void);

#endif  // HOTTUB_HOST_OUTPUT_H_
