// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "needed.h"

// From the dynamic sections of the loaded libraries, as the dynamic linker has them (gABI, chapter
// 5: DT_NEEDED names another one by its DT_SONAME or its file).

#include <string.h>

struct search {
  struct needed *needed;
  const struct link_map *libraries[NEEDED_MAX];  // the same
  needed_root is_root;
  void *data;
  bool is_whole;
};

const ElfW(Dyn) * needed_entry(const struct link_map *library, ElfW(Sxword) kind, size_t n) {
  for (const ElfW(Dyn) *entry = library->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == kind && n-- == 0) return entry;
  }
  return NULL;
}

// A string of the dynamic section: of the n-th entry of this kind; NULL if there is none.
static const char *string_of(const struct link_map *library, ElfW(Sxword) kind, size_t n) {
  const ElfW(Dyn) *found = needed_entry(library, kind, n);
  const ElfW(Dyn) *table = needed_entry(library, DT_STRTAB, 0);
  if (!found || !table) return NULL;
  const char *strings = (const char *)table->d_un.d_ptr;
  // The kernel's own library is not relocated there.
  if ((uintptr_t)strings < library->l_addr) strings += library->l_addr;
  return strings + found->d_un.d_val;
}

static bool is_named(const struct link_map *library, const char *name) {
  if (strcmp(basename(library->l_name), name) == 0) return true;
  const char *own = string_of(library, DT_SONAME, 0);
  return own && strcmp(own, name) == 0;
}

bool needed_has(const struct needed *needed, uintptr_t address) {
  for (size_t i = 0; i < needed->count; i++) {
    if (needed->addresses[i] == address) return true;
  }
  return false;
}

static void add(struct search *search, const struct link_map *library) {
  struct needed *needed = search->needed;
  if (needed_has(needed, library->l_addr)) return;
  if (needed->count == NEEDED_MAX) {
    search->is_whole = false;
    return;
  }
  search->libraries[needed->count] = library;
  needed->addresses[needed->count++] = library->l_addr;
}

// Called with the dynamic linker's lock, for the first library only: the list does not change.
static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)info, (void)size;
  struct search *search = data;
  const struct link_map *all = _r_debug.r_map;
  for (const struct link_map *library = all; library; library = library->l_next) {
    if (search->is_root(library, search->data)) add(search, library);
  }
  for (size_t i = 0; i < search->needed->count; i++) {  // it grows
    const char *name;
    for (size_t n = 0; (name = string_of(search->libraries[i], DT_NEEDED, n)); n++) {
      for (const struct link_map *library = all; library; library = library->l_next) {
        if (is_named(library, name)) add(search, library);
      }
    }
  }
  return 1;
}

bool needed_find(struct needed *needed, needed_root is_root, void *data) {
  struct search search = {.needed = needed, .is_root = is_root, .data = data, .is_whole = true};
  needed->count = 0;
  dl_iterate_phdr(look, &search);
  return search.is_whole;
}
