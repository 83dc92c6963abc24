// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The library of Natives.java.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <jni.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int count = 0;
static JavaVM *vm;

static void exit_java(JNIEnv *env, jint status) {
  jclass system = (*env)->FindClass(env, "java/lang/System");
  jmethodID method = (*env)->GetStaticMethodID(env, system, "exit", "(I)V");
  (*env)->CallStaticVoidMethod(env, system, method, status);
  printf("WRONG: native code runs on after exit\n");
  fflush(stdout);
}

// At the end of the process, as a destructor.
__attribute__((destructor)) static void say_goodbye(void) {
  const char *text = getenv("NATIVES_GOODBYE");
  if (text) printf("%s\n", text);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *of, void *reserved) {
  vm = of;
  printf("loaded\n");
  fflush(stdout);
  if (getenv("NATIVES_EXIT")) {
    JNIEnv *env;
    (*of)->GetEnv(of, (void **)&env, JNI_VERSION_1_8);
    exit_java(env, 9);
  }
  return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *of, void *reserved) {
  printf("WRONG: JNI_OnUnload\n");
  fflush(stdout);
}

JNIEXPORT jint JNICALL Java_Natives_count(JNIEnv *env, jclass class) { return ++count; }

// Opens a copy of this library beside it three times, and closes it once. How often that has
// counted.
JNIEXPORT jint JNICALL Java_Natives_leaveOpen(JNIEnv *env, jclass class) {
  void *left = NULL;
  for (int i = 0; i < 3; i++) left = dlopen("libleft.so", RTLD_NOW);
  if (!left || dlclose(left) != 0) return -1;
  jint (*count_left)(JNIEnv *, jclass);
  *(void **)&count_left = dlsym(left, "Java_Natives_count");
  return count_left(env, class);
}

// Opens this library itself, as those do that cannot be unloaded.
JNIEXPORT void JNICALL Java_Natives_pin(JNIEnv *env, jclass class) {
  Dl_info info;
  if (!dladdr(&count, &info) || !dlopen(info.dli_fname, RTLD_NOW)) printf("WRONG: not opened\n");
}

// The C library would do it for a name of a user or host.
JNIEXPORT void JNICALL Java_Natives_openService(JNIEnv *env, jclass class) {
  if (!dlopen("libnss_own.so.2", RTLD_NOW)) printf("WRONG: %s\n", dlerror());
}

JNIEXPORT void JNICALL Java_Natives_openNeeded(JNIEnv *env, jclass class) {
  if (!dlopen("libneeded.so", RTLD_NOW)) printf("WRONG: %s\n", dlerror());
}

// With a C library of its own; a process can do that 15 times.
JNIEXPORT void JNICALL Java_Natives_openApart(JNIEnv *env, jclass class) {
  void *apart = dlmopen(LM_ID_NEWLM, "libneeded.so", RTLD_NOW);
  int (*call)(void) = NULL;
  if (apart) *(void **)&call = dlsym(apart, "service_call");
  printf("apart %d\n", call ? call() : -1);
}

JNIEXPORT void JNICALL Java_Natives_yield(JNIEnv *env, jclass class) { sched_yield(); }

JNIEXPORT void JNICALL Java_Natives_print(JNIEnv *env, jclass class) {
  printf("left in a buffer of the C library\n");
}

static void *ignore_everything(void *data) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  for (volatile long i = 0;; i++) {
  }
  return NULL;
}

static void *attach_and_wait(void *data) {
  JNIEnv *env;
  (*vm)->AttachCurrentThread(vm, (void **)&env, NULL);
  for (;;) sleep(1000);
  return NULL;
}

static void *attach_and_call(void *data) {
  JNIEnv *env;
  (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL);
  jclass class = data;
  jmethodID wait = (*env)->GetStaticMethodID(env, class, "waitForEver", "()V");
  (*env)->CallStaticVoidMethod(env, class, wait);
  printf("WRONG: Java code has returned to a native thread\n");
  fflush(stdout);
  return NULL;
}

static void *crash_soon(void *data) {
  usleep(20000);
  *(volatile int *)8 = 1;
  return NULL;
}

// The run ends before, but a stock JVM takes longer to do so.
static void *end_soon(void *data) {
  usleep(2000);
  return NULL;
}

static void start(void *(*function)(void *), void *data) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, data);
}

JNIEXPORT void JNICALL Java_Natives_thread(JNIEnv *env, jclass class, jint kind) {
  switch (kind) {
    case 0:
      start(ignore_everything, NULL);
      break;
    case 1:
      start(attach_and_wait, NULL);
      break;
    case 2:
      start(attach_and_call, (*env)->NewGlobalRef(env, class));
      break;
    case 4:
      start(crash_soon, NULL);
      break;
    default:
      start(end_soon, NULL);
      break;
  }
}

JNIEXPORT void JNICALL Java_Natives_loop(JNIEnv *env, jclass class) {
  for (volatile long i = 0;; i++) {
  }
}

JNIEXPORT void JNICALL Java_Natives_sleep(JNIEnv *env, jclass class, jint seconds) {
  if (seconds == 0) return;
  sleep(seconds);
  printf("WRONG: the sleep of native code has ended\n");
  fflush(stdout);
}

// Calls a static method without arguments or result, and runs on.
JNIEXPORT void JNICALL Java_Natives_call(JNIEnv *env, jclass class, jstring name) {
  const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
  jmethodID method = (*env)->GetStaticMethodID(env, class, chars, "()V");
  (*env)->CallStaticVoidMethod(env, class, method);
  printf("WRONG: native code runs on after a call that does not return\n");
  fflush(stdout);
}

// The same from a method that no longer has this code.
JNIEXPORT void JNICALL Java_Natives_callUnregistered(JNIEnv *env, jclass class, jstring name) {
  (*env)->UnregisterNatives(env, class);
  Java_Natives_call(env, class, name);
}

JNIEXPORT void JNICALL Java_Natives_exit(JNIEnv *env, jclass class, jint status) {
  exit_java(env, status);
}

JNIEXPORT void JNICALL Java_Natives_exitProcess(JNIEnv *env, jclass class, jint status) {
  exit(status);
}

JNIEXPORT void JNICALL Java_Natives_crash(JNIEnv *env, jclass class) { *(volatile int *)8 = 1; }

JNIEXPORT void JNICALL Java_Natives_abort(JNIEnv *env, jclass class) { abort(); }

JNIEXPORT void JNICALL Java_Natives_fatal(JNIEnv *env, jclass class) {
  (*env)->FatalError(env, "told to");
}

// Sleeps in native code, then calls a static method again and again.
JNIEXPORT void JNICALL Java_Natives_callBack(JNIEnv *env, jclass class, jstring name) {
  const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
  jmethodID method = (*env)->GetStaticMethodID(env, class, chars, "()V");
  usleep(150000);
  for (;;) {
    (*env)->CallStaticVoidMethod(env, class, method);
    printf("WRONG: native code has called Java code after exit\n");
    fflush(stdout);
  }
}

// Creates references that nobody deletes.
JNIEXPORT void JNICALL Java_Natives_keep(JNIEnv *env, jclass class, jobject object) {
  for (int i = 0; i < 100; i++) {
    (*env)->NewGlobalRef(env, object);
    (*env)->NewWeakGlobalRef(env, object);
  }
  jobject deleted = (*env)->NewGlobalRef(env, object);
  (*env)->DeleteGlobalRef(env, deleted);
}

static jint answer(JNIEnv *env, jclass class) { return 42; }

JNIEXPORT void JNICALL Java_Natives_register(JNIEnv *env, jclass class) {
  JNINativeMethod method = {"registered", "()I", answer};
  (*env)->RegisterNatives(env, class, &method, 1);
}

static bool is_mapped(const char *name) {
  char line[4096];
  bool is_found = false;
  FILE *list = fopen("/proc/self/maps", "r");
  while (list && fgets(line, sizeof line, list)) is_found |= strstr(line, name) != NULL;
  if (list) fclose(list);
  return is_found;
}

// Files of which a part stays in memory; what is unmapped before and after it is not the run's.
static void map_files(void) {
  if (is_mapped("mapped-by-run")) printf("WRONG: a file is mapped\n");
  for (int i = 0; i < 3; i++) {
    char name[] = "mapped-by-run-X";
    name[sizeof name - 2] = (char)('0' + i);
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    size_t page = (size_t)getpagesize();
    if (ftruncate(fd, 3 * (off_t)page) != 0) perror(name);
    char *begin = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    begin[page] = 'x';
    if (i > 0) munmap(begin, page);
    if (i > 1) munmap(begin + page, 2 * page);
    close(fd);
  }
  if (!is_mapped("mapped-by-run-1") || is_mapped("mapped-by-run-2")) printf("WRONG: maps\n");
}

static void attach_segments(void) {
  if (is_mapped("/SYSV")) printf("WRONG: a segment is attached\n");
  int segment = shmget(IPC_PRIVATE, 4096, 0600);
  char *first = shmat(segment, NULL, 0), *second = shmat(segment, NULL, 0);
  first[0] = 's';
  printf("%c ", second[0]);
  shmdt(second);
  if (!is_mapped("/SYSV")) printf("WRONG: no segment\n");
  shmctl(segment, IPC_RMID, NULL);  // once nobody has it
}

// What of the process it finds changed; then it changes that.
JNIEXPORT void JNICALL Java_Natives_changeProcess(JNIEnv *env, jclass class) {
  sigset_t all;
  pthread_sigmask(SIG_SETMASK, NULL, &all);
  if (sigismember(&all, SIGUSR2)) printf("WRONG: a signal is blocked\n");
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);  // the VM itself may need it any time
  pthread_sigmask(SIG_SETMASK, &all, NULL);

  struct itimerval timer;
  getitimer(ITIMER_REAL, &timer);
  if (timer.it_value.tv_sec) printf("WRONG: a timer runs\n");
  timer.it_value.tv_sec = 1000;
  setitimer(ITIMER_REAL, &timer, NULL);

  map_files();
  attach_segments();

  char line[99] = "";
  FILE *list = fopen("/proc/self/timers", "r");
  if (list && fgets(line, sizeof line, list)) printf("WRONG: a timer exists: %s\n", line);
  if (list) fclose(list);
  timer_t id;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
  timer_create(CLOCK_MONOTONIC, &event, &id);
  struct itimerspec soon = {.it_value = {.tv_sec = 1000}};
  timer_settime(id, 0, &soon, NULL);

  // The page exists only where memory is locked from now on.
  char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char is_resident = 0;
  mincore(page, 4096, &is_resident);
  if (is_resident & 1) printf("WRONG: memory is locked\n");
  munmap(page, 4096);
  printf("%d ", mlockall(MCL_FUTURE));

  printf("%s %d\n", setlocale(LC_NUMERIC, NULL), fegetround() == FE_TONEAREST);
  setlocale(LC_ALL, "C");
  fesetround(FE_UPWARD);
  fflush(stdout);
}

static void forget(void *value) {}

// Functions of the C library that remember something from one call to the next.
JNIEXPORT void JNICALL Java_Natives_changeLibrary(JNIEnv *env, jclass class) {
  char *arguments[] = {"name", "-a", "-ab", "word", NULL};
  printf("%d %ld %ld %f", rand(), random(), lrand48(), drand48());
  printf(" %d %d %d", optind, opterr, optopt);
  printf(" %c %d\n", getopt(2, arguments, "ab"), optind);
  optind = 2;
  getopt(3, arguments, "ab");  // is in the middle of a word
  opterr = 0;
  srand(17);
  srand48(17);

  time_t noon = 12 * 3600;
  struct tm local;
  localtime_r(&noon, &local);
  printf("%d o'clock\n", local.tm_hour);

  int keys = 0;
  pthread_key_t key;
  while (keys < 500 && pthread_key_create(&key, forget) == 0) {
    pthread_setspecific(key, "a value");
    keys++;
  }
  printf("%d keys\n", keys);
  fflush(stdout);
}

JNIEXPORT jint JNICALL Java_Natives_ignoreSignals(JNIEnv *env, jclass class) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  return signal(SIGUSR1, SIG_IGN) == SIG_DFL;
}

// Returns whether this process may do that.
JNIEXPORT jboolean JNICALL Java_Natives_giveUp(JNIEnv *env, jclass class, jint kind) {
  switch (kind) {
    case 0:
      return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    case 1:
      return prctl(PR_SET_TIMERSLACK, 1234567, 0, 0, 0) == 0;
    case 2:
      return personality(ADDR_NO_RANDOMIZE) != -1;
    case 3:
      return unshare(CLONE_NEWUTS) == 0;
    case 4:
      return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
    case 5:
      return prctl(PR_SET_PDEATHSIG, SIGURG, 0, 0, 0) == 0;
    case 6:
      return prctl(PR_MCE_KILL, PR_MCE_KILL_SET, PR_MCE_KILL_LATE, 0, 0) == 0;
    case 7:
      return prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0) == 0;
    default:
      return chroot(".") == 0;
  }
}
