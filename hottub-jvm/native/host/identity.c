// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "identity.h"

// What a run sees of its own process through the class library: when it was started, with what
// command line, and how much time it has used. Replaces a few native methods of the JDK by
// functions that ask it as before and correct what is about this process.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "home.h"

static const struct lease *run;     // NULL between runs
static jlong started_ms;            // wall clock
static struct timespec started;     // monotonic
static struct timespec cpu_before;  // of this process, used by former runs
static jlong process_age_ms;        // at the start of the run, by the clock of ProcessHandle

typedef jlong (*is_alive_function)(JNIEnv *, jobject, jlong);
typedef void (*info_function)(JNIEnv *, jobject, jlong);
typedef jint (*pids_function)(JNIEnv *, jclass, jlong, jlongArray, jlongArray, jlongArray);

static is_alive_function jdk_is_alive;
static info_function jdk_info;
static pids_function jdk_pids;

static int64_t since_ns(clockid_t clock, const struct timespec *before) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)(now.tv_sec - before->tv_sec) * 1000000000 + (now.tv_nsec - before->tv_nsec);
}

static jlong get_startup_time(JNIEnv *env, jobject management) {
  (void)env, (void)management;
  return started_ms;
}

static jlong get_uptime(JNIEnv *env, jobject management) {
  (void)env, (void)management;
  return since_ns(CLOCK_MONOTONIC, &started) / 1000000 + 1;  // 0 is seen in no JVM
}

static jlong get_process_cpu_time(JNIEnv *env, jobject system) {
  (void)env, (void)system;
  return since_ns(CLOCK_PROCESS_CPUTIME_ID, &cpu_before);
}

// Of this process. ProcessHandle counts from the second of the boot in ticks of the kernel, up to a
// second behind the wall clock, and takes for children of a process only what has started after it.
static jlong as_start_of_run(jlong start_of_process) { return start_of_process + process_age_ms; }

// Returns when the process was started.
static jlong is_alive(JNIEnv *env, jobject self, jlong pid) {
  jlong result = jdk_is_alive(env, self, pid);
  return run && pid == getpid() && result > 0 ? as_start_of_run(result) : result;
}

static jint get_process_pids(JNIEnv *env, jclass self, jlong parent, jlongArray pids,
                             jlongArray parents, jlongArray starts) {
  jint count = jdk_pids(env, self, parent, pids, parents, starts);
  if (!run || !starts || (*env)->ExceptionCheck(env)) return count;
  jsize room = (*env)->GetArrayLength(env, pids);
  for (jsize i = 0; i < count && i < room; i++) {
    jlong pid;
    (*env)->GetLongArrayRegion(env, pids, i, 1, &pid);
    if (pid != getpid()) continue;
    jlong start;
    (*env)->GetLongArrayRegion(env, starts, i, 1, &start);
    start = as_start_of_run(start);
    (*env)->SetLongArrayRegion(env, starts, i, 1, &start);
  }
  return count;
}

// A string of bytes in the platform's encoding.
static jstring new_string(JNIEnv *env, const char *text) {
  jclass string = (*env)->FindClass(env, "java/lang/String");
  jmethodID make = string ? (*env)->GetMethodID(env, string, "<init>", "([B)V") : NULL;
  jsize length = (jsize)strlen(text);
  jbyteArray bytes = make ? (*env)->NewByteArray(env, length) : NULL;
  if (!bytes) return NULL;
  (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)text);
  return (*env)->NewObject(env, string, make, bytes);
}

// Options, class path, main class and arguments: started with these, a JVM does the same again.
static jobjectArray command_line(JNIEnv *env) {
  const char *mode[] = {[LEASE_CLASS] = NULL, [LEASE_JAR] = "-jar", [LEASE_MODULE] = "-m"};
  const char *path =
      run->mode == LEASE_JAR ? NULL : lease_list_value(&run->props, "java.class.path");
  size_t count = run->arguments.count + run->args.count + 4, used = 0;
  const char **all = calloc(count, sizeof *all);
  if (!all) return NULL;
  for (size_t i = 0; i < run->arguments.count; i++) all[used++] = run->arguments.item[i];
  if (path && *path) {
    all[used++] = "-cp";
    all[used++] = path;
  }
  if (mode[run->mode]) all[used++] = mode[run->mode];
  all[used++] = run->main;
  for (size_t i = 0; i < run->args.count; i++) all[used++] = run->args.item[i];
  jclass string = (*env)->FindClass(env, "java/lang/String");
  jobjectArray array = string ? (*env)->NewObjectArray(env, (jsize)used, string, NULL) : NULL;
  for (size_t i = 0; array && i < used; i++) {
    jstring item = new_string(env, all[i]);
    if (!item) break;  // with an exception pending
    (*env)->SetObjectArrayElement(env, array, (jsize)i, item);
    (*env)->DeleteLocalRef(env, item);
  }
  free(all);
  return array;
}

static void set_object(JNIEnv *env, jobject info, const char *name, const char *type,
                       jobject value) {
  jfieldID field = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, info), name, type);
  if (field) (*env)->SetObjectField(env, info, field, value);
}

static jfieldID long_field(JNIEnv *env, jobject info, const char *name) {
  return (*env)->GetFieldID(env, (*env)->GetObjectClass(env, info), name, "J");
}

static void get_info(JNIEnv *env, jobject info, jlong pid) {
  jdk_info(env, info, pid);
  char java[4096];
  if (!run || pid != getpid() || (*env)->ExceptionCheck(env)) return;
  if (home_path(java, sizeof java, "bin/java") != 0) return;
  jobjectArray arguments = command_line(env);
  jstring command = arguments ? new_string(env, java) : NULL;
  if (!command || (*env)->ExceptionCheck(env)) return;
  set_object(env, info, "command", "Ljava/lang/String;", command);
  set_object(env, info, "arguments", "[Ljava/lang/String;", arguments);
  jfieldID start = long_field(env, info, "startTime");
  jfieldID used = start ? long_field(env, info, "totalTime") : NULL;
  if (!used) return;
  jlong start_of_process = (*env)->GetLongField(env, info, start);
  (*env)->SetLongField(env, info, start, as_start_of_run(start_of_process));
  (*env)->SetLongField(env, info, used, get_process_cpu_time(env, NULL));
}

static const HotTubNative natives[] = {
    {"java/lang/ProcessHandleImpl", "isAlive0", "(J)J", (void *)is_alive},
    {"java/lang/ProcessHandleImpl", "getProcessPids0", "(J[J[J[J)I", (void *)get_process_pids},
    {"java/lang/ProcessHandleImpl$Info", "info0", "(J)V", (void *)get_info},
    {"sun/management/VMManagementImpl", "getStartupTime", "()J", (void *)get_startup_time},
    {"sun/management/VMManagementImpl", "getUptime0", "()J", (void *)get_uptime},
    {"com/sun/management/internal/OperatingSystemImpl", "getProcessCpuTime0", "()J",
     (void *)get_process_cpu_time},
};

int identity_natives(const HotTubNative **all) {
  char path[4096];
  if (home_path(path, sizeof path, "lib/libjava.so") != 0) return -1;
  void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return -1;
  *(void **)&jdk_is_alive = dlsym(library, "Java_java_lang_ProcessHandleImpl_isAlive0");
  *(void **)&jdk_info = dlsym(library, "Java_java_lang_ProcessHandleImpl_00024Info_info0");
  *(void **)&jdk_pids = dlsym(library, "Java_java_lang_ProcessHandleImpl_getProcessPids0");
  if (!jdk_is_alive || !jdk_info || !jdk_pids) return -1;
  *all = natives;
  return (int)(sizeof natives / sizeof natives[0]);
}

// In ticks since the boot; -1 if the kernel does not say.
static int64_t start_of_process_ticks(void) {
  char stat[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, stat, sizeof stat - 1);
  if (file >= 0) close(file);
  if (length <= 0) return -1;
  stat[length] = '\0';
  // The name, which may have any character, is the second of 52 fields, the start the 22nd.
  const char *field = strrchr(stat, ')');
  for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
  return field ? strtoll(field, NULL, 10) : -1;
}

// How old it is now, by whole ticks.
static jlong age_of_process_ms(void) {
  int64_t start = start_of_process_ticks(), second = sysconf(_SC_CLK_TCK);
  struct timespec now;
  if (start < 0 || second <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  int64_t ticks = now.tv_sec * second + now.tv_nsec / (1000000000 / second);
  return (ticks - start) * 1000 / second;
}

void identity_begin(const struct lease *lease) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  started_ms = (jlong)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  clock_gettime(CLOCK_MONOTONIC, &started);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_before);
  process_age_ms = age_of_process_ms();
  run = lease;
}

void identity_end(void) { run = NULL; }
