// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "directories.h"

// Directory streams that a run has left open: their descriptors go with the others, but each also
// holds 32 KiB, which only closedir frees. So the class library's calls come through here: the
// program's own functions go before those of the C library.

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process-files.h"

#define EXPORTED __attribute__((visibility("default")))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct open_stream {
  DIR *stream;
  pid_t thread;
} * open_streams;
static size_t count, room;

static pid_t this_thread(void) { return (pid_t)syscall(SYS_gettid); }

// One that cannot be noted costs its memory, and nothing else.
static DIR *note(DIR *stream) {
  if (!stream) return NULL;
  pthread_mutex_lock(&mutex);
  if (count == room) {
    size_t more = 2 * room + 16;
    struct open_stream *larger = realloc(open_streams, more * sizeof *larger);
    if (larger) {
      open_streams = larger;
      room = more;
    }
  }
  if (count < room) open_streams[count++] = (struct open_stream){stream, this_thread()};
  pthread_mutex_unlock(&mutex);
  return stream;
}

static void forget(const DIR *stream) {
  pthread_mutex_lock(&mutex);
  for (size_t i = count; i-- > 0;) {
    if (open_streams[i].stream == stream) {
      open_streams[i] = open_streams[--count];
      break;
    }
  }
  pthread_mutex_unlock(&mutex);
}

EXPORTED DIR *opendir(const char *name) {
  static DIR *(*next)(const char *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "opendir");
  char room[PROCESS_FILES_ROOM];
  return note(next(process_files_path(name, room)));
}

EXPORTED DIR *fdopendir(int number) {
  static DIR *(*next)(int);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "fdopendir");
  return note(next(number));
}

EXPORTED int closedir(DIR *stream) {
  static int (*next)(DIR *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "closedir");
  forget(stream);
  return next(stream);
}

// Threads of the VM live on, and may be reading one now.
static bool is_of_run(pid_t thread) {
  return thread == this_thread() || syscall(SYS_tgkill, getpid(), thread, 0) != 0;
}

static DIR *take_one_of_run(void) {
  DIR *stream = NULL;
  pthread_mutex_lock(&mutex);
  for (size_t i = count; i-- > 0 && !stream;) {
    if (is_of_run(open_streams[i].thread)) stream = open_streams[i].stream;
  }
  pthread_mutex_unlock(&mutex);
  return stream;
}

void directories_close(void) {
  for (DIR *stream; (stream = take_one_of_run());) closedir(stream);
}
