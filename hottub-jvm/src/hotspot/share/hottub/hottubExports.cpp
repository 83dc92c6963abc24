/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "hottub/hottub.hpp"
#include "hottub/hottubExports.h"
#include "hottub/hottubMirrors.hpp"
#include "hottub/hottubReset.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubThreads.hpp"
#include "runtime/arguments.hpp"
#include "runtime/flags/jvmFlag.hpp"
#include "runtime/flags/jvmFlagAccess.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/thread.inline.hpp"

void HotTub::throw_death(JavaThread* thread) { HotTubThreads::throw_death(thread); }

bool HotTub::intercept_halt(JavaThread* thread, jint status) {
  return HotTubThreads::intercept_halt(thread, status);
}

JNI_ENTRY(jint, HotTub_Initialize(JNIEnv* env, void (*on_ending)(int status)))
if (!UseHotTub || !HotTubMirrors::initialize()) {
  return -1;
}
bool started = HotTubThreads::initialize(thread, on_ending, CHECK_(-1));
return started ? 0 : -1;
JNI_END

JNI_ENTRY(jint, HotTub_TakeSnapshot(JNIEnv* env))
HotTubSnapshot::take(thread, CHECK_(-1));
return HotTubSnapshot::objects();
JNI_END

JNI_ENTRY(void, HotTub_BeginRun(JNIEnv* env))
HotTubThreads::begin_run();
JNI_END

extern "C" JNIEXPORT jint JNICALL HotTub_AwaitEnd(JNIEnv* env) {
  // Not JNI_ENTRY: the pending exception of main is the input.
  JavaThread* thread = JavaThread::thread_from_jni_environment(env);
  ThreadInVMfromNative in_vm(thread);
  HandleMarkCleaner hm(thread);
  return HotTubThreads::await_end(thread);
}

extern "C" JNIEXPORT void JNICALL HotTub_Revoke(int status) { HotTubThreads::request_end(status); }

JNI_ENTRY(void, HotTub_Restore(JNIEnv* env, HotTubReport* report))
HotTubReset::restore(report);
JNI_END

JNI_ENTRY(void, HotTub_Collect(JNIEnv* env, HotTubReport* report))
HotTubReset::collect(report, CHECK);
JNI_END

JNI_ENTRY(void, HotTub_Audit(JNIEnv* env, HotTubReport* report, jboolean walk_heap))
HotTubReset::audit(report, walk_heap != JNI_FALSE);
JNI_END

static const char* const run_string_options[] = {"OnOutOfMemoryError", "OnError", "HeapDumpPath",
                                                 "ErrorFile"};
static const char* const run_boolean_options[] = {
    "HeapDumpOnOutOfMemoryError", "ExitOnOutOfMemoryError", "CrashOnOutOfMemoryError"};

static bool set_string_option(const char* name, const char* value) {
  ccstr v = value;
  return JVMFlagAccess::set_ccstr(JVMFlag::find_flag(name), &v, JVMFlagOrigin::MANAGEMENT) ==
         JVMFlag::SUCCESS;
}

static bool set_boolean_option(const char* name, bool value) {
  return JVMFlagAccess::set_bool(JVMFlag::find_flag(name), &value, JVMFlagOrigin::MANAGEMENT) ==
         JVMFlag::SUCCESS;
}

JNI_ENTRY(jint, HotTub_SetRunOption(JNIEnv* env, const char* option))
if (option == NULL) {
  bool ok = true;
  for (const char* name : run_string_options) {
    ok &= set_string_option(name, NULL);
  }
  for (const char* name : run_boolean_options) {
    ok &= set_boolean_option(name, false);
  }
  return ok ? 0 : -1;
}
if (strncmp(option, "-XX:", 4) != 0) {
  return -1;
}
option += 4;
for (const char* name : run_boolean_options) {
  if ((option[0] == '+' || option[0] == '-') && strcmp(option + 1, name) == 0) {
    return set_boolean_option(name, option[0] == '+') ? 0 : -1;
  }
}
for (const char* name : run_string_options) {
  size_t length = strlen(name);
  if (strncmp(option, name, length) == 0 && option[length] == '=') {
    return set_string_option(name, option + length + 1) ? 0 : -1;
  }
}
return -1;
JNI_END
