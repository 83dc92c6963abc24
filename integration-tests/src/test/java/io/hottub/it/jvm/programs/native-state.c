// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The library of NativeState.java.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <jni.h>
#include <jvmti.h>
#include <libintl.h>
#include <linux/keyctl.h>
#include <locale.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

static _Thread_local JNIEnv *env;

// ---- Streams

static int print(const char *argument) { return printf("%s ", argument) < 0; }

static int read_line(const char *argument) {
  char line[256];
  printf("line: %s", fgets(line, sizeof line, stdin) ? line : "none\n");
  return 0;
}

static int print_wide(const char *argument) {
  fwprintf(stdout, L"wide %s\n", argument);
  return 0;
}

static int buffer_here(const char *argument) {
  static char buffer[4096];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  return 0;
}

static int buffer_nothing(const char *argument) { return setvbuf(stdout, NULL, _IONBF, 0); }

static int redirect(const char *argument) {
  stderr = stdout;
  return 0;
}

static int print_error(const char *argument) { return fprintf(stderr, "error\n") != 6; }

static int close_output(const char *argument) { return fclose(stdout); }

// ---- The C library

static int print_stack_size(const char *argument) {
  pthread_attr_t attributes;
  size_t size;
  pthread_getattr_default_np(&attributes);
  pthread_attr_getstacksize(&attributes, &size);
  printf("stacks of %zu bytes ", size);
  return 0;
}

static int set_stack_size(const char *argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, strtoul(argument, NULL, 10));
  return pthread_setattr_default_np(&attributes);
}

static int use_locale(const char *argument) {
  int before = (int)MB_CUR_MAX;
  uselocale(newlocale(LC_ALL_MASK, argument, NULL));
  return before;
}

static int create_table(const char *argument) { return hcreate(10) + 1; }

static int use_domain(const char *argument) {
  printf("%s ", textdomain(NULL));
  return textdomain("own") == NULL;
}

static int next_service(const char *argument) {
  setservent(1);  // stays open
  struct servent *service = getservent();
  printf("%s ", service ? service->s_name : "none");
  service = getservent();
  printf("%s ", service ? service->s_name : "none");
  return 0;
}

static int use_resolver(const char *argument) {
  int is_ready = (_res.options & RES_INIT) != 0;
  res_init();
  _res.retry = 77;
  return is_ready;
}

static int no_cancel(const char *argument) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before + 10;
}

static int own_signal_stack(const char *argument) {
  static char memory[65536];
  stack_t before, own = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&own, &before);
  return before.ss_flags;
}

static int leave_no_children(const char *argument) {
  struct sigaction now;
  sigaction(SIGCHLD, NULL, &now);
  int before = now.sa_flags & SA_NOCLDWAIT;
  now.sa_flags |= SA_NOCLDWAIT;
  sigaction(SIGCHLD, &now, NULL);
  return before;
}

static int warn_of(const char *argument) {
  warnx("%s", argument);
  return 0;
}

static int set_allocation(const char *argument) { return mallopt(M_MMAP_MAX, 0) != 1; }

// In pieces, as libraries do.
static int take_memory(const char *mib) {
  for (int i = atoi(mib) * 16; i > 0; i--) {
    char *piece = malloc(64 * 1024);
    if (!piece) return 1;
    memset(piece, 1, 64 * 1024);
  }
  return 0;
}

static int set_undo(const char *argument) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf up = {0, 1, SEM_UNDO};
  int error = semop(set, &up, 1);
  semctl(set, 0, IPC_RMID);
  return error;
}

// ---- The process

// Of the thread (-1) or the process (-2). 0 if the kernel does not let us.
static int add_key(const char *argument) {
  long key = syscall(SYS_add_key, "user", "state", "secret", 6, atoi(argument));
  return key < 0 && errno != EPERM && errno != ENOSYS;
}

static int find_key(const char *argument) {
  return syscall(SYS_keyctl, KEYCTL_SEARCH, atoi(argument), "user", "state", 0) > 0;
}

static int limit_files(const char *argument) {
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  printf("%d files ", (int)files.rlim_cur);
  files.rlim_cur = strtoul(argument, NULL, 10);
  return setrlimit(RLIMIT_NOFILE, &files);
}

static int close_all(const char *argument) { return close_range(3, ~0u, 0); }

static int list_files(const char *argument) {
  return system("ls -l /proc/self/fd | grep -c socket");
}

// ---- Libraries

static int open_library(const char *argument) {
  void *library = dlopen(argument, RTLD_NOW);
  int (*touch)(void) = NULL;
  if (library) *(void **)&touch = dlsym(library, "state_touch");
  if (!touch) printf("%s\n", dlerror());
  return touch ? touch() : -1;
}

// ---- The VM

static int enter(const char *argument) {
  return (*env)->MonitorEnter(env, (*env)->FindClass(env, "java/lang/String"));
}

static volatile int events;

static void JNICALL count_thread(jvmtiEnv *of, JNIEnv *thread_env, jthread thread) { events++; }

static void JNICALL say_death(jvmtiEnv *of, JNIEnv *thread_env) {
  printf("death after %s events\n", events > 2 ? "many" : "few");
  fflush(stdout);
  usleep(atoi(getenv("STATE_DEATH_US")));
  printf("dead\n");
}

// Asks for events of the VM, as agents do.
static int hear_events(const char *argument) {
  JavaVM *vm;
  jvmtiEnv *events_env;
  jvmtiEventCallbacks functions = {
      .ThreadStart = count_thread, .ThreadEnd = count_thread, .VMDeath = say_death};
  (*env)->GetJavaVM(env, &vm);
  if ((*vm)->GetEnv(vm, (void **)&events_env, JVMTI_VERSION_1_2) != JNI_OK) return 1;
  (*events_env)->SetEventCallbacks(events_env, &functions, sizeof functions);
  jvmtiEvent all[] = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH};
  for (int i = 0; i < 3; i++) {
    (*events_env)->SetEventNotificationMode(events_env, JVMTI_ENABLE, all[i], NULL);
  }
  return 0;
}

// ----

static const struct {
  const char *name;
  int (*function)(const char *argument);
} all[] = {
    {"line", read_line},
    {"wide", print_wide},
    {"buffer-here", buffer_here},
    {"buffer-nothing", buffer_nothing},
    {"redirect", redirect},
    {"error", print_error},
    {"close", close_output},
    {"printf", print},
    {"stacks", print_stack_size},
    {"set-stacks", set_stack_size},
    {"add-key", add_key},
    {"find-key", find_key},
    {"limit-files", limit_files},
    {"enter", enter},
    {"listen", hear_events},
    {"close-all", close_all},
    {"list-files", list_files},
    {"open", open_library},
    {"locale", use_locale},
    {"table", create_table},
    {"domain", use_domain},
    {"service", next_service},
    {"resolver", use_resolver},
    {"no-cancel", no_cancel},
    {"signal-stack", own_signal_stack},
    {"no-children", leave_no_children},
    {"warn", warn_of},
    {"allocation", set_allocation},
    {"undo", set_undo},
    {"take", take_memory},
};

JNIEXPORT jint JNICALL Java_NativeState_call(JNIEnv *of, jclass class, jstring what,
                                             jstring argument) {
  env = of;
  const char *name = (*env)->GetStringUTFChars(env, what, NULL);
  const char *text = (*env)->GetStringUTFChars(env, argument, NULL);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) == 0) return all[i].function(text);
  }
  return -1;
}
