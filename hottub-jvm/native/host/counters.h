// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_COUNTERS_H_
#define HOTTUB_HOST_COUNTERS_H_

// Notes the folder in which the VM has the file of its performance counters; once.
void counters_remember(void);

// That folder, which a clone has in common with its template; empty if there is no such file.
const char *counters_folder(void);

#endif  // HOTTUB_HOST_COUNTERS_H_
