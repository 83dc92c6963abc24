// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FILTERS_H_
#define HOTTUB_FILTERS_H_

// Filters of system calls (seccomp). The kernel tells how many a process has, and not what they do:
// two processes with one each may be as different as a browser's sandbox and a printer's.

// Runs cold unless the filters are those of the whole container: of its process 1.
void filters_check(void);

#endif  // HOTTUB_FILTERS_H_
