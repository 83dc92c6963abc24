// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "static-tls.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "libraries.h"
#include "needed.h"

// What is further from the end than this is memory of its own, which is given back.
enum { FARTHEST = 64 * 1024 };

// Of the variables, distances from the end of the room, to which they are added downwards.
struct room {
  size_t kept;              // by what stays
  size_t begin, alignment;  // of the only library of the run that has some
  int count;                // of such libraries
  char name[256];
};

static const struct link_map *find(uintptr_t address) {
  const struct link_map *library = _r_debug.r_map;
  while (library && library->l_addr != address) library = library->l_next;
  return library;
}

static const ElfW(Phdr) * variables_of(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) return &info->dlpi_phdr[i];
  }
  return NULL;
}

// As the ABI has it for code that asks for variables of this thread.
struct index {
  unsigned long module, offset;
};
void *__tls_get_addr(struct index *index);

// Those of this thread. Code that has them there does not ask for them, so the linker may not know
// yet; of another library it would make a copy.
static uintptr_t place_of(const struct dl_phdr_info *info, const struct link_map *library) {
  const ElfW(Dyn) *flags = library ? needed_entry(library, DT_FLAGS, 0) : NULL;
  if (!flags || !(flags->d_un.d_val & DF_STATIC_TLS)) return (uintptr_t)info->dlpi_tls_data;
  return (uintptr_t)__tls_get_addr(&(struct index){info->dlpi_tls_modid, 0});
}

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct room *room = data;
  const ElfW(Phdr) *variables = variables_of(info);
  if (!variables) return 0;
  const struct link_map *library = find(info->dlpi_addr);
  uintptr_t end = (uintptr_t)__builtin_thread_pointer(), at = place_of(info, library);
  if (!at || at > end || end - at > FARTHEST) return 0;
  if (libraries_may_stay(library)) {
    if (end - at > room->kept) room->kept = end - at;
    return 0;
  }
  room->count++;
  room->alignment = variables->p_align;
  room->begin = end - at - variables->p_memsz;
  snprintf(room->name, sizeof room->name, "%s", basename(info->dlpi_name));
  return 0;
}

bool static_tls_comes_back(struct doubt *doubt) {
  struct room room = {0};
  dl_iterate_phdr(look, &room);
  bool is_last = room.begin >= room.kept && room.begin - room.kept < 2 * room.alignment;
  if (room.count == 0 || (room.count == 1 && is_last)) return true;
  doubt_because(doubt, DOUBT_LIBRARY_HAS_TAKEN_ROOM_FOR_STATIC_THREAD_LOCAL_VARIABLES, room.name);
  return false;
}
