// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_DIRECTORIES_H_
#define HOTTUB_HOST_DIRECTORIES_H_

// Directory streams that a run has left open.

// Closes those that threads of the run have opened, while their descriptors are still in use.
void directories_close(void);

#endif  // HOTTUB_HOST_DIRECTORIES_H_
