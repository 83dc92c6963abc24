// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_NEEDED_H_
#define HOTTUB_HOST_NEEDED_H_

// Which of the loaded libraries were loaded because others are linked to them.

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NEEDED_MAX = 256 };

// The n-th entry of this kind in a library's dynamic section; NULL if there is none.
const ElfW(Dyn) * needed_entry(const struct link_map *library, ElfW(Sxword) kind, size_t n);

// By where they are loaded.
struct needed {
  uintptr_t addresses[NEEDED_MAX];
  size_t count;
};

typedef bool (*needed_root)(const struct link_map *library, void *data);

// The roots, and what they need, directly or not. False if there are more than there is room for.
bool needed_find(struct needed *needed, needed_root is_root, void *data);

bool needed_has(const struct needed *needed, uintptr_t address);

#endif  // HOTTUB_HOST_NEEDED_H_
