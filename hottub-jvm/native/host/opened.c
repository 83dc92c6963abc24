// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "opened.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library. What the JVM's own code opens is its own business.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"

#define EXPORTED __attribute__((visibility("default")))

enum { MAX_FILES = 128, MAX_HANDLES = 128 };

// What code of the run has asked for, in this order, and what it has closed.
struct file {
  char *name;
  const void *caller;
  unsigned times;
};

struct handle {
  const void *value;
  unsigned times;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct file files[MAX_FILES];
static struct handle handles[MAX_HANDLES];
static size_t file_count, handle_count;
static bool is_incomplete;
// The class library, or a service of libc, has opened a library that is not its own, and may use it
// in any run.
static atomic_bool is_shared;

static void *(*next_open)(const char *, int);
static int (*next_close)(void *);

static void find_next(void) {
  if (!next_open) *(void **)&next_open = dlsym(RTLD_NEXT, "dlopen");
  if (!next_close) *(void **)&next_close = dlsym(RTLD_NEXT, "dlclose");
}

static void note_open(const char *name, const void *caller) {
  pthread_mutex_lock(&mutex);
  size_t i = 0;
  while (i < file_count && (files[i].caller != caller || strcmp(files[i].name, name) != 0)) i++;
  if (i == file_count && i < MAX_FILES && (files[i].name = strdup(name)) != NULL) {
    files[i].caller = caller;
    files[i].times = 0;
    file_count++;
  }
  if (i < file_count) files[i].times++;
  pthread_mutex_unlock(&mutex);
}

static void note_close(const void *handle) {
  pthread_mutex_lock(&mutex);
  size_t i = 0;
  while (i < handle_count && handles[i].value != handle) i++;
  if (i == MAX_HANDLES) {
    is_incomplete = true;
  } else {
    if (i == handle_count) handles[handle_count++] = (struct handle){handle, 0};
    handles[i].times++;
  }
  pthread_mutex_unlock(&mutex);
}

EXPORTED void *dlopen(const char *file, int mode) {
  find_next();
  const void *caller = __builtin_return_address(0);
  if (file && libraries_is_of_run(caller)) {
    note_open(file, caller);
  } else if (file && !libraries_is_of_vm(caller) && !libraries_is_kept(file)) {
    is_shared = true;
  }
  // A jump: where the dynamic linker looks for the file depends on who calls it.
  return next_open(file, mode);
}

EXPORTED int dlclose(void *handle) {
  find_next();
  if (libraries_is_of_run(__builtin_return_address(0))) note_close(handle);
  return next_close(handle);
}

bool opened_has(const char *name) {
  pthread_mutex_lock(&mutex);
  bool is_found = file_count == MAX_FILES;  // then it may have opened any
  for (size_t i = 0; i < file_count && !is_found; i++) {
    is_found = strcmp(basename(files[i].name), name) == 0;
  }
  pthread_mutex_unlock(&mutex);
  return is_found;
}

static bool was_closed(const void *handle) {
  for (size_t i = 0; i < handle_count; i++) {
    if (handles[i].value == handle && handles[i].times > 0) {
      handles[i].times--;
      return true;
    }
  }
  return false;
}

// False if it is not loaded, or may stay.
static bool close_once(const struct file *file) {
  void *handle = next_open(file->name, RTLD_LAZY | RTLD_NOLOAD);
  struct link_map *library;
  if (!handle) return false;
  next_close(handle);
  if (dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0 || libraries_may_stay(library)) return false;
  // Of a service of libc, as we know by now.
  if (!libraries_is_of_run(file->caller)) return false;
  if (!was_closed(handle)) next_close(handle);
  return true;
}

bool opened_close(void) {
  // Only this thread is left. Destructors may open and close more.
  for (size_t i = 0; i < file_count; i++) {
    while (!is_incomplete && files[i].times > 0 && close_once(&files[i])) files[i].times--;
    free(files[i].name);
  }
  file_count = handle_count = 0;
  is_incomplete = false;
  return !is_shared;
}
