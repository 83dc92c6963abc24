// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_THREAD_KEYS_H_
#define HOTTUB_THREAD_KEYS_H_

// Deletes the keys of thread-local values that unloaded libraries have created: there are few, and
// their destructors are gone.
void thread_keys_delete(void);

#endif  // HOTTUB_THREAD_KEYS_H_
