// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "at-exit.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library. That one calls what was given to atexit when the library is unloaded, too, and all at
// the end of the process, which is that of a run in a clone: each comes to call_on_exit, and is
// called once.

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "libraries.h"

#define EXPORTED __attribute__((visibility("default")))

// One of the functions.
struct entry {
  void (*at_exit)(void *argument);
  void (*on_exit)(int status, void *argument);
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

static void call(const struct entry *entry, int status) {
  if (entry->at_exit) {
    entry->at_exit(entry->argument);
  } else {
    entry->on_exit(status, entry->argument);
  }
}

static void call_on_exit(int status, void *data) {
  struct entry *entry = data;
  if (take(entry)) call(entry, status);
  free(entry);
}

static void call_at_exit(void *data) { call_on_exit(0, data); }

// NULL if it is of nobody's library, or there is no memory.
static struct entry *add(struct entry new, const void *library) {
  struct entry *entry = libraries_is_of_run(library) ? malloc(sizeof *entry) : NULL;
  if (!entry) return NULL;
  *entry = new;
  pthread_mutex_lock(&mutex);
  entry->before = last;
  last = entry;
  pthread_mutex_unlock(&mutex);
  return entry;
}

static int added(struct entry *entry, int error) {
  if (error != 0 && take(entry)) free(entry);
  return error;
}

int __cxa_atexit(void (*function)(void *), void *argument,
                 void *library);  // Itanium C++ ABI, 3.3.6

EXPORTED int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static int (*next)(void (*)(void *), void *, void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
  struct entry *entry = add((struct entry){.at_exit = function, .argument = argument}, library);
  if (!entry) return next(function, argument, library);
  return added(entry, next(call_at_exit, entry, library));
}

EXPORTED int on_exit(void (*function)(int, void *), void *argument) {
  static int (*next)(void (*)(int, void *), void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "on_exit");
  struct entry *entry =
      add((struct entry){.on_exit = function, .argument = argument}, __builtin_return_address(0));
  if (!entry) return next(function, argument);
  return added(entry, next(call_on_exit, entry));
}

static pthread_t main_thread;
static bool is_known;

void at_exit_remember(void) {
  main_thread = pthread_self();
  is_known = true;
}

// The launcher waits for this thread, and ends with what it returns.
EXPORTED _Noreturn void pthread_exit(void *value) {
  if (is_known && pthread_equal(pthread_self(), main_thread)) exit((int)(intptr_t)value);
  static void (*next)(void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_exit");
  next(value);
  abort();  // it does not return
}

void at_exit_call(int status) {
  // They may add others.
  struct entry *entry;
  while ((entry = last) && take(entry)) call(entry, status);
}

void at_exit_forget(void) {
  struct entry *entry;
  while ((entry = last)) take(entry);
}
