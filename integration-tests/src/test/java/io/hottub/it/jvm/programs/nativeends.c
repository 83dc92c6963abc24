// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// What native code does at the end of a process, and after it.

#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static JavaVM *java;
static jclass caller;
static int destructor_status;

static void exits(void) { _exit(44); }

static void aborts(void) { abort(); }

static void crashes(void) { *(volatile int *)8 = 1; }

static void is_slow(void) {
  sleep(3);
  printf("slow\n");
}

// As libraries do that give up what they have by JNI, where there still is one.
static void asks(void) {
  JNIEnv *env = NULL;
  jint found = (*java)->GetEnv(java, (void **)&env, JNI_VERSION_10);
  printf("environment: %d\n", (int)found);
  if (found == JNI_OK) {
    jmethodID called = (*env)->GetStaticMethodID(env, caller, "called", "()V");
    (*env)->CallStaticVoidMethod(env, caller, called);
  }
  printf("attached: %d\n", (int)(*java)->AttachCurrentThread(java, (void **)&env, NULL));
}

static void *writes_late(void *unused) {
  usleep(200 * 1000);
  printf("late\n");
  fflush(stdout);
  return unused;
}

static void *calls_late(void *unused) {
  JNIEnv *env;
  usleep(200 * 1000);
  if ((*java)->AttachCurrentThread(java, (void **)&env, NULL) == JNI_OK) {
    jmethodID called = (*env)->GetStaticMethodID(env, caller, "called", "()V");
    (*env)->CallStaticVoidMethod(env, caller, called);
    (*java)->DetachCurrentThread(java);
  }
  return unused;
}

__attribute__((destructor)) static void destructor(void) {
  if (destructor_status != 0) _exit(destructor_status);
}

JNIEXPORT void JNICALL Java_NativeEnds_prepare(JNIEnv *env, jclass holder, jstring what) {
  const char *name = (*env)->GetStringUTFChars(env, what, NULL);
  pthread_t thread;
  (*env)->GetJavaVM(env, &java);
  caller = (*env)->NewGlobalRef(env, holder);
  if (strcmp(name, "exits") == 0) atexit(exits);
  if (strcmp(name, "aborts") == 0) atexit(aborts);
  if (strcmp(name, "crashes") == 0) atexit(crashes);
  if (strcmp(name, "slow") == 0) atexit(is_slow);
  if (strcmp(name, "asks") == 0) atexit(asks);
  if (strcmp(name, "destructor") == 0) destructor_status = 46;
  if (strcmp(name, "writes") == 0) pthread_create(&thread, NULL, writes_late, NULL);
  if (strcmp(name, "calls") == 0) pthread_create(&thread, NULL, calls_late, NULL);
  if (strcmp(name, "leaves") == 0) pthread_exit((void *)9);
  (*env)->ReleaseStringUTFChars(env, what, name);
}
