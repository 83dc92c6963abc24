// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "pinned.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "libraries.h"
#include "needed.h"

// Of what the dynamic linker keeps of a library, behind the public part of link_map: more than that
// in any version.
enum { SEEN = 1024 };

enum { MAX_LIBRARIES = 64, MAX_TIMES = 10000 };

static size_t mark_place;
static uint8_t mark;  // 0: not known

static bool is_loaded(const char *path) {
  void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != NULL;
}

// Whether it has gone.
static bool close_all(const char *path) {
  for (int i = 0; i < MAX_TIMES; i++) {
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return true;
    dlclose(handle);
    // Once more, for whoever has left it open; an error if nobody has.
    if (!is_loaded(path)) return true;
    if (dlclose(handle) != 0) return false;
  }
  return false;
}

static bool has_mark(const struct link_map *library) {
  return mark && ((const uint8_t *)library)[mark_place] & mark;
}

static void take_mark(struct link_map *library) { ((uint8_t *)library)[mark_place] &= ~mark; }

// One bit, and nothing else.
static bool find_difference(const uint8_t *without, const uint8_t *with) {
  size_t count = 0;
  for (size_t i = 0; i < SEEN; i++) {
    if (without[i] == with[i]) continue;
    count++;
    mark_place = i;
    mark = with[i] & ~without[i];
  }
  return count == 1 && mark && (mark & (mark - 1)) == 0 &&
         (without[mark_place] | mark) == with[mark_place];
}

static bool find_mark(const char *path) {
  uint8_t without[SEEN];
  struct link_map *library;
  void *handle = dlopen(path, RTLD_LAZY);
  if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0) return false;
  // It counts how often it is open: twice on both sides.
  if (dlopen(path, RTLD_LAZY) != handle) return false;
  memcpy(without, library, sizeof without);
  dlclose(handle);
  if (dlopen(path, RTLD_LAZY | RTLD_NODELETE) != handle) return false;
  if (!find_difference(without, (const uint8_t *)library)) return false;
  dlclose(handle);
  dlclose(handle);
  dlclose(handle);
  if (!is_loaded(path)) return false;
  take_mark(library);
  return close_all(path);
}

void pinned_find_mark(void) {
  // Of the class library, and nothing in it runs when it is loaded.
  char path[4096];
  if (home_path(path, sizeof path, "lib/libprefs.so") != 0 || is_loaded(path) || !find_mark(path)) {
    mark = 0;
  }
}

// How many symbols there are behind those that nobody can look up, in a table by DT_GNU_HASH: four
// words; a filter; for each bucket its first symbol; for each symbol a word, whose last bit ends a
// bucket's.
static size_t count_symbols(const uint32_t *table) {
  uint32_t buckets = table[0], first = table[1], last = 0;
  const uint32_t *starts = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
  for (uint32_t i = 0; i < buckets; i++) {
    if (starts[i] > last) last = starts[i];
  }
  if (last < first) return first;
  const uint32_t *words = starts + buckets;
  while (!(words[last - first] & 1)) last++;
  return last + 1;
}

// Symbols that a process has only once (STB_GNU_UNIQUE): the linker remembers who has them.
static bool has_unique_symbols(const struct link_map *library) {
  const ElfW(Dyn) *table = needed_entry(library, DT_GNU_HASH, 0);
  const ElfW(Dyn) *symbols = needed_entry(library, DT_SYMTAB, 0);
  if (!table || !symbols) return true;
  size_t count = count_symbols((const uint32_t *)table->d_un.d_ptr);
  for (size_t i = 0; i < count; i++) {
    const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols->d_un.d_ptr + i;
    if (ELF64_ST_BIND(symbol->st_info) == STB_GNU_UNIQUE) return true;
  }
  return false;
}

void pinned_unload(void) {
  char *names[MAX_LIBRARIES];
  size_t count = 0;
  for (struct link_map *library = _r_debug.r_map; library; library = library->l_next) {
    if (!has_mark(library) || libraries_may_stay(library) || has_unique_symbols(library)) continue;
    if (count == MAX_LIBRARIES || !(names[count] = strdup(library->l_name))) continue;
    take_mark(library);
    count++;
  }
  // By their names: one may go with another one.
  for (size_t i = 0; i < count; i++) {
    close_all(names[i]);
    free(names[i]);
  }
}
