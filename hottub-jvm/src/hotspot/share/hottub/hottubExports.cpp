/*
 * Copyright (c) 2026, the HotTub authors.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */

#include "precompiled.hpp"
#include "hottub/hottub.hpp"
#include "hottub/hottubAudit.hpp"
#include "hottub/hottubBlocks.hpp"
#include "hottub/hottubExports.h"
#include "hottub/hottubMemory.hpp"
#include "hottub/hottubMirrors.hpp"
#include "hottub/hottubOptions.hpp"
#include "hottub/hottubReset.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubThreads.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/thread.inline.hpp"

void HotTub::throw_death(JavaThread* thread) { HotTubThreads::throw_death(thread); }

bool HotTub::intercept_halt(JavaThread* thread, jint status) {
  return HotTubThreads::intercept_halt(thread, status);
}

JNI_ENTRY(jint, HotTub_Initialize(JNIEnv* env, void (*on_ending)(int status)))
if (!UseHotTub || !HotTubMirrors::initialize() || !HotTubSnapshot::initialize()) {
  return -1;
}
bool started = HotTubThreads::initialize(thread, on_ending, CHECK_(-1));
return started ? 0 : -1;
JNI_END

JNI_ENTRY(jint, HotTub_TakeSnapshot(JNIEnv* env))
HotTubOptions::take();
HotTubSnapshot::take(thread, CHECK_(-1));
HotTubBlocks::close_base();
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

JNI_ENTRY(void, HotTub_FreeMemory(JNIEnv* env))
HotTubMemory::release_blocks(thread);
JNI_END

JNI_ENTRY(void, HotTub_Audit(JNIEnv* env, HotTubReport* report, jboolean explain))
HotTubAudit::perform(report, explain != JNI_FALSE);
JNI_END

JNI_ENTRY(jint, HotTub_SetOption(JNIEnv* env, const char* option))
return HotTubOptions::set(option) ? 0 : -1;
JNI_END

JNI_ENTRY(void, HotTub_SetArguments(JNIEnv* env, const char* const* arguments, int count))
HotTubOptions::set_arguments(arguments, count);
JNI_END
