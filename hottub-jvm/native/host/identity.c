// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "identity.h"

// What a run sees of its own process through the class library: that which its caller has started,
// with the pid, the parent and the command line of the client, but with the time that this JVM has
// used and the children that it has. Replaces a few native methods of the JDK by functions that ask
// it as before and correct what is about the run.

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include "home.h"

static pid_t process;               // of the run; 0 between runs
static jlong started_ms;            // wall clock
static struct timespec started;     // monotonic
static struct timespec cpu_before;  // of this process, used by former runs

typedef jlong (*parent_function)(JNIEnv *, jclass, jlong, jlong);
typedef jint (*pids_function)(JNIEnv *, jclass, jlong, jlongArray, jlongArray, jlongArray);
typedef void (*info_function)(JNIEnv *, jobject, jlong);

static parent_function jdk_parent;
static pids_function jdk_pids;
static info_function jdk_info;

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

static jlong get_current_pid(JNIEnv *env, jclass self) {
  (void)env, (void)self;
  return process != 0 ? process : getpid();
}

// Children of this JVM are those of the run. What the client has started to help it is none of it,
// and is shown where the others are not: both pids are exchanged.
pid_t identity_parent(pid_t parent) {
  if (process != 0 && parent == getpid()) return process;
  return process != 0 && parent == process ? getpid() : parent;
}

static jlong get_parent(JNIEnv *env, jclass self, jlong pid, jlong start) {
  return identity_parent((pid_t)jdk_parent(env, self, pid, start));
}

static jint get_process_pids(JNIEnv *env, jclass self, jlong parent, jlongArray pids,
                             jlongArray parents, jlongArray starts) {
  const jint count = jdk_pids(env, self, identity_parent((pid_t)parent), pids, parents, starts);
  if (!parents || (*env)->ExceptionCheck(env)) return count;
  const jsize room = (*env)->GetArrayLength(env, parents);
  for (jsize i = 0; i < count && i < room; i++) {
    jlong now;
    (*env)->GetLongArrayRegion(env, parents, i, 1, &now);
    now = identity_parent((pid_t)now);
    (*env)->SetLongArrayRegion(env, parents, i, 1, &now);
  }
  return count;
}

static void get_info(JNIEnv *env, jobject info, jlong pid) {
  jdk_info(env, info, pid);
  if (process == 0 || pid != process || (*env)->ExceptionCheck(env)) return;
  jfieldID used = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, info), "totalTime", "J");
  if (used) (*env)->SetLongField(env, info, used, get_process_cpu_time(env, NULL));
}

static const HotTubNative natives[] = {
    {"java/lang/ProcessHandleImpl", "getCurrentPid0", "()J", (void *)get_current_pid},
    {"java/lang/ProcessHandleImpl", "parent0", "(JJ)J", (void *)get_parent},
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
  *(void **)&jdk_parent = dlsym(library, "Java_java_lang_ProcessHandleImpl_parent0");
  *(void **)&jdk_info = dlsym(library, "Java_java_lang_ProcessHandleImpl_00024Info_info0");
  *(void **)&jdk_pids = dlsym(library, "Java_java_lang_ProcessHandleImpl_getProcessPids0");
  if (!jdk_parent || !jdk_info || !jdk_pids) return -1;
  *all = natives;
  return (int)(sizeof natives / sizeof natives[0]);
}

void identity_begin(pid_t client) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  started_ms = (jlong)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  clock_gettime(CLOCK_MONOTONIC, &started);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_before);
  process = client;
}

void identity_end(void) { process = 0; }

pid_t identity_process(void) { return process; }
