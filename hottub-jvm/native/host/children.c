// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "children.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

// A client that is stopped does not answer.
#define WATCHED_MS 2000

// Longer than the VM waits for anything when a run ends.
#define DEATH_MS 2000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool (*announce_first)(void);  // NULL: it is announced
static bool watched = true;
static bool has_ended;  // the run: it starts nothing any more

void children_begin(bool (*announce)(void)) {
  pthread_mutex_lock(&mutex);
  announce_first = announce;
  watched = has_ended = false;
  pthread_mutex_unlock(&mutex);
}

void children_watched(void) {
  pthread_mutex_lock(&mutex);
  watched = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

void children_end(void) {
  pthread_mutex_lock(&mutex);
  has_ended = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

// The run has ended, and what started a process goes no further than here: it would take an error
// for one of its own. The signal that ends system calls comes when the thread is marked to die.
static void await_death(void) {
  for (int i = 0; i < DEATH_MS && poll(NULL, 0, 1) == 0; i++) {
  }
}

// False if the run has ended.
static bool await_watch(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WATCHED_MS * 1000000l;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&mutex);
  if (announce_first && !has_ended) {
    watched = !announce_first();
    announce_first = NULL;
  }
  while (!watched && !has_ended && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
  }
  watched = true;  // or as good as it gets
  bool may_start = !has_ended;
  pthread_mutex_unlock(&mutex);
  return may_start;
}

// The class library starts all processes with it, unless it is told otherwise: the program's own
// functions go before those of the C library.
EXPORTED int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const *arguments,
                         char *const *environment) {
  static int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                     const posix_spawnattr_t *, char *const *, char *const *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "posix_spawn");
  if (!await_watch()) {
    await_death();
    return ECANCELED;
  }
  return next(pid, path, actions, attributes, arguments, environment);
}
