// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "invocation.h"

#include <stddef.h>
#include <unistd.h>

static JavaVM *java;
static const struct JNIInvokeInterface_ *open;
static struct JNIInvokeInterface_ closed, over;

static jint wait_if_unattached(JavaVM *vm, void **env, void *arguments, jboolean is_daemon) {
  if (open->GetEnv(vm, env, JNI_VERSION_1_1) == JNI_EDETACHED) {
    for (;;) pause();
  }
  return is_daemon ? open->AttachCurrentThreadAsDaemon(vm, env, arguments)
                   : open->AttachCurrentThread(vm, env, arguments);
}

static jint JNICALL wait_to_attach(JavaVM *vm, void **env, void *arguments) {
  return wait_if_unattached(vm, env, arguments, JNI_FALSE);
}

static jint JNICALL wait_to_attach_as_daemon(JavaVM *vm, void **env, void *arguments) {
  return wait_if_unattached(vm, env, arguments, JNI_TRUE);
}

static jint JNICALL no_environment(JavaVM *vm, void **env, jint version) {
  (void)vm;
  (void)version;
  *env = NULL;
  return JNI_EDETACHED;
}

static jint JNICALL cannot_attach(JavaVM *vm, void **env, void *arguments) {
  (void)vm;
  (void)env;
  (void)arguments;
  return JNI_ERR;
}

static jint JNICALL is_detached(JavaVM *vm) {
  (void)vm;
  return JNI_OK;
}

static jint JNICALL is_destroyed(JavaVM *vm) {
  (void)vm;
  return JNI_ERR;
}

void invocation_remember(JNIEnv *env) {
  if ((*env)->GetJavaVM(env, &java) != JNI_OK) return;
  open = *java;
  closed = over = *open;
  closed.AttachCurrentThread = wait_to_attach;
  closed.AttachCurrentThreadAsDaemon = wait_to_attach_as_daemon;
  over.GetEnv = no_environment;
  over.AttachCurrentThread = over.AttachCurrentThreadAsDaemon = cannot_attach;
  over.DetachCurrentThread = is_detached;
  over.DestroyJavaVM = is_destroyed;
}

void invocation_set(enum invocation state) {
  if (!java) return;
  *java = state == INVOCATION_OPEN ? open : state == INVOCATION_CLOSED ? &closed : &over;
}
