// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Libraries that say that they must stay, with all kinds of state. Compiled with -DNEEDED it is the
// one that the other is linked to; with -DLINKED one that can be unloaded, and is linked to the
// first; with -DOPENS one that opens what Java code names.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PRINT(...) (printf(__VA_ARGS__), fflush(stdout))

extern int needed_state;
int needed_call(void);
int pinned_call(void);

#if defined(NEEDED)

int needed_state = 3;

__attribute__((constructor)) static void begin(void) { PRINT("needed begins: %d\n", needed_state); }

__attribute__((destructor)) static void end(void) { PRINT("needed ends: %d\n", needed_state); }

int needed_call(void) { return ++needed_state; }

#elif defined(LINKED)

__attribute__((constructor)) static void begin(void) { PRINT("linked: %d\n", pinned_call()); }

#elif defined(OPENS)

JNIEXPORT void JNICALL Java_Pinned_open(JNIEnv *env, jclass class, jstring name, jint mode) {
  const char *file = (*env)->GetStringUTFChars(env, name, NULL);
  void *handle = dlopen(file, mode);
  int (*call)(void) = NULL;
  if (handle) *(void **)&call = dlsym(handle, "pinned_call");
  PRINT("opened: %d\n", call ? call() : 0);
  (*env)->ReleaseStringUTFChars(env, name, file);
}

#else

enum { BIG = 3 << 20 };

#ifndef FIRST
#define FIRST 7
#endif

static int in_data = FIRST, in_zeroes;
static char big[BIG];
static int *pointer = &in_data;
static int (*bound)(const char *) = puts;
static int *needed = &needed_state;
static char *memory;
static int begins = 1;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int forks;
static __thread int of_thread = 1;
#ifdef UNIQUE
// As C++ has for static members of templates.
int unique = 1;
__asm__(".type unique,@gnu_unique_object");
#endif

static int other(const char *text) { return puts(text); }

static void at_exit(void) { PRINT("at exit: %d\n", in_data); }

static void with_status(int status, void *data) {
  PRINT("on exit: %d, %d\n", status, *(int *)data);
}

static void at_fork(void) { forks++; }

static void create(void) {
  if (pthread_key_create(&key, NULL) != 0) PRINT("WRONG: no key\n");
}

__attribute__((constructor)) static void begin(int count, char **arguments, char **environment) {
  memory = malloc(8);
  memory[0] = 'm';
  begins++;
#ifdef UNIQUE
  unique++;
#endif
  PRINT("begins: %d, %s, %d\n", begins, arguments[count] ? "WRONG" : "arguments",
        environment == environ);
}

__attribute__((destructor)) static void end(void) {
  PRINT("ends: %d %d\n", in_data, begins);
  free(memory);
}

int pinned_call(void) {
  pthread_once(&once, create);
  bound("bound");
  PRINT(
      "data %d, zeroes %d, big %d %d, pointer %d, bound %d, needed %d %d, memory %c, key %d, "
      "thread %d\n",
      in_data, in_zeroes, big[0], big[BIG - 1], pointer == &in_data, bound == puts,
      needed == &needed_state, needed_state, memory[0], pthread_getspecific(key) != NULL,
      of_thread);
  if (in_zeroes == 0) {
    atexit(at_exit);
    on_exit(with_status, &in_data);
    pthread_atfork(at_fork, NULL, NULL);
  }
  int before = forks;
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  PRINT("fork handlers: %d\n", forks - before);
  of_thread++;
  in_data++;
  in_zeroes++;
  big[0]++;
  big[BIG - 1]++;
  pointer = &in_zeroes;
  bound = other;
  needed = NULL;
  memory[0]++;
  pthread_setspecific(key, memory);
  return needed_call();
}

JNIEXPORT jint JNICALL Java_Pinned_call(JNIEnv *env, jclass class) { return pinned_call(); }

#endif
