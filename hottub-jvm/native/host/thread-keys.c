// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "thread-keys.h"

// Calls of libraries come through here: the program's own functions go before those of the C
// library.

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const void *creators[PTHREAD_KEYS_MAX];  // code that has created the key; NULL: not one

EXPORTED int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  static int (*next)(pthread_key_t *, void (*)(void *));
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_key_create");
  int error = next(key, destructor);
  if (error == 0 && *key < PTHREAD_KEYS_MAX) {
    pthread_mutex_lock(&mutex);
    creators[*key] = __builtin_return_address(0);
    pthread_mutex_unlock(&mutex);
  }
  return error;
}

EXPORTED int pthread_key_delete(pthread_key_t key) {
  static int (*next)(pthread_key_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_key_delete");
  pthread_mutex_lock(&mutex);
  if (key < PTHREAD_KEYS_MAX) creators[key] = NULL;
  pthread_mutex_unlock(&mutex);
  return next(key);
}

static bool is_loaded(const void *code) {
  Dl_info library;
  return dladdr(code, &library) != 0;
}

void thread_keys_delete(void) {
  for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
    if (creators[key] && !is_loaded(creators[key])) pthread_key_delete(key);
  }
}
