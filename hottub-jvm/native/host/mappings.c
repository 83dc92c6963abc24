// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "mappings.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library. Others may unmap, by ways that nobody sees: what lies at an address later is told by the
// kernel's list.

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include "libraries.h"

#define EXPORTED __attribute__((visibility("default")))

enum { MAX_MAPPINGS = 4096 };

struct mapping {
  uintptr_t begin, end;  // no end: a segment of shared memory
  ino_t file;
  const void *caller;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct mapping mappings[MAX_MAPPINGS];
static size_t count;
static bool is_incomplete;

// Instead of one that it hides; of another one there may be something left behind it.
static bool replaces(const struct mapping *new, const struct mapping *old) {
  return new->begin == old->begin && (new->end >= old->end) && !new->end == !old->end;
}

static void note(struct mapping new) {
  pthread_mutex_lock(&mutex);
  size_t i = 0;
  while (i < count && !replaces(&new, &mappings[i])) i++;
  if (i == MAX_MAPPINGS) {
    is_incomplete = true;
  } else {
    mappings[i] = new;
    if (i == count) count++;
  }
  pthread_mutex_unlock(&mutex);
}

EXPORTED void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  static void *(*next)(void *, size_t, int, int, int, off_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "mmap");
  void *begin = next(address, length, protection, flags, fd, offset);
  struct stat file;
  // First what needs no lock of the dynamic linker: the VM comes here, too, for memory.
  if (begin != MAP_FAILED && !(flags & MAP_ANONYMOUS) && fstat(fd, &file) == 0) {
    const void *caller = __builtin_return_address(0);
    struct mapping new = {(uintptr_t)begin, (uintptr_t)begin + length, file.st_ino, caller};
    if (libraries_is_of_run(caller)) note(new);
  }
  return begin;
}

extern __typeof__(mmap) mmap64 EXPORTED __attribute__((alias("mmap")));

EXPORTED void *shmat(int segment, const void *address, int flags) {
  static void *(*next)(int, const void *, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "shmat");
  void *begin = next(segment, address, flags);
  const void *caller = __builtin_return_address(0);
  if (begin != MAP_FAILED && libraries_is_of_run(caller)) {
    note((struct mapping){.begin = (uintptr_t)begin, .caller = caller});
  }
  return begin;
}

// The last mapping that holds the address.
static bool is_left(uintptr_t address, ino_t file) {
  for (size_t i = count; i-- > 0;) {
    const struct mapping *mapping = &mappings[i];
    if (address >= mapping->begin && address < mapping->end && file == mapping->file) {
      return libraries_is_of_run(mapping->caller);  // by now it is known which are services of libc
    }
  }
  return false;
}

static void detach_segments(void) {
  for (size_t i = 0; i < count; i++) {
    // Where the segment is gone there is none, or another one of the run.
    if (mappings[i].end == 0) shmdt((const void *)mappings[i].begin);
  }
}

void mappings_remove(struct doubt *doubt) {
  if (count == 0) return;
  detach_segments();
  if (is_incomplete) doubt_because(doubt, DOUBT_CANNOT_LIST_MAPPED_FILES);
  FILE *list = fopen("/proc/self/maps", "re");
  if (!list) doubt_because(doubt, DOUBT_CANNOT_LIST_MAPPED_FILES);
  char line[4096 + 128];  // ends with a path
  while (list && fgets(line, sizeof line, list)) {
    uintptr_t begin, end;
    unsigned long inode;
    // begin-end permissions offset device inode path
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %lu", &begin, &end, &inode) == 3 &&
        inode != 0 && is_left(begin, (ino_t)inode)) {
      munmap((void *)begin, end - begin);
    }
  }
  if (list) fclose(list);
  count = 0;
  is_incomplete = false;
}
