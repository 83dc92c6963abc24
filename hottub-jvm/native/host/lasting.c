// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "lasting.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library.

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/sem.h>
#include <time.h>

#include "libraries.h"

#define EXPORTED __attribute__((visibility("default")))

static const char *_Atomic called;

static void note(const char *function, const void *caller) {
  if (libraries_is_of_run(caller)) called = function;
}

EXPORTED int mallopt(int parameter, int value) {
  static int (*next)(int, int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "mallopt");
  note("mallopt", __builtin_return_address(0));
  return next(parameter, value);
}

static void note_undo(const struct sembuf *operations, size_t count, const void *caller) {
  for (size_t i = 0; i < count; i++) {
    if (operations[i].sem_flg & SEM_UNDO) note("semop", caller);
  }
}

EXPORTED int semop(int set, struct sembuf *operations, size_t count) {
  static int (*next)(int, struct sembuf *, size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "semop");
  note_undo(operations, count, __builtin_return_address(0));
  return next(set, operations, count);
}

EXPORTED int semtimedop(int set, struct sembuf *operations, size_t count,
                        const struct timespec *longest) {
  static int (*next)(int, struct sembuf *, size_t, const struct timespec *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "semtimedop");
  note_undo(operations, count, __builtin_return_address(0));
  return next(set, operations, count, longest);
}

bool lasting_is_unused(struct doubt *doubt) {
  const char *function = called;
  if (function) doubt_because(doubt, DOUBT_NATIVE_CODE_HAS_CALLED_WHICH_LASTS, function);
  return !function;
}
