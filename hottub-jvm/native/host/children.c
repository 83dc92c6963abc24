// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "children.h"

#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

// A client that is stopped does not answer; a run that is ended must not be held here.
#define WATCHED_MS 2000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void (*announce_first)(void);  // NULL: it is announced
static bool watched = true;

void children_begin(void (*announce)(void)) {
  pthread_mutex_lock(&mutex);
  announce_first = announce;
  watched = false;
  pthread_mutex_unlock(&mutex);
}

void children_watched(void) {
  pthread_mutex_lock(&mutex);
  watched = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void await_watch(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WATCHED_MS * 1000000l;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&mutex);
  if (announce_first) {
    announce_first();
    announce_first = NULL;
  }
  while (!watched && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
  }
  watched = true;  // or as good as it gets
  pthread_mutex_unlock(&mutex);
}

// The class library starts all processes with it, unless it is told otherwise: the program's own
// functions go before those of the C library.
EXPORTED int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const *arguments,
                         char *const *environment) {
  static int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                     const posix_spawnattr_t *, char *const *, char *const *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "posix_spawn");
  await_watch();
  return next(pid, path, actions, attributes, arguments, environment);
}
