// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_PINNED_H_
#define HOTTUB_HOST_PINNED_H_

// Libraries that the dynamic linker never unloads because they say so (DF_1_NODELETE), as OpenSSL's
// do, or because whoever opened them did (RTLD_NODELETE). It marks them by a bit of its own, whose
// place is found by an experiment.

// At S0: opens a library, sees which bit makes it stay, and that without it it goes. Without such a
// bit, libraries stay.
void pinned_find_mark(void);

// Unloads those that code of the run has had loaded, unless something else holds them too. Only
// this thread is left. They end as at the end of a process.
void pinned_unload(void);

#endif  // HOTTUB_HOST_PINNED_H_
