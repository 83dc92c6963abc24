// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "at-exit.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library. That one calls a library's functions, too, when it is unloaded, or in a clone at the end
// of the process: each comes to call, and is called once.

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "libraries.h"

#define EXPORTED __attribute__((visibility("default")))

struct entry {
  void (*function)(void *);
  void *argument;
  struct entry *before;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry *last;

// False if it has been taken.
static bool take(const struct entry *entry) {
  pthread_mutex_lock(&mutex);
  struct entry **at = &last;
  while (*at && *at != entry) at = &(*at)->before;
  bool is_there = *at != NULL;
  if (is_there) *at = entry->before;
  pthread_mutex_unlock(&mutex);
  return is_there;
}

static void call(void *data) {
  struct entry *entry = data;
  if (take(entry)) entry->function(entry->argument);
  free(entry);
}

int __cxa_atexit(void (*function)(void *), void *argument,
                 void *library);  // Itanium C++ ABI, 3.3.6

EXPORTED int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static int (*next)(void (*)(void *), void *, void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
  struct entry *entry = libraries_is_of_run(library) ? malloc(sizeof *entry) : NULL;
  if (!entry) return next(function, argument, library);
  pthread_mutex_lock(&mutex);
  *entry = (struct entry){function, argument, last};
  last = entry;
  pthread_mutex_unlock(&mutex);
  int error = next(call, entry, library);
  if (error != 0 && take(entry)) free(entry);
  return error;
}

void at_exit_call(void) {
  // They may add others.
  struct entry *entry;
  while ((entry = last) && take(entry)) entry->function(entry->argument);
}
