// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "hottub/hottub.hpp"
#include "hottub/hottubAttach.hpp"
#include "hottub/hottubAudit.hpp"
#include "hottub/hottubBlocks.hpp"
#include "hottub/hottubClocks.hpp"
#include "hottub/hottubClone.hpp"
#include "hottub/hottubCompilation.hpp"
#include "hottub/hottubConflicts.hpp"
#include "hottub/hottubContainer.hpp"
#include "hottub/hottubCrash.hpp"
#include "hottub/hottubDefinitions.hpp"
#include "hottub/hottubEvents.hpp"
#include "hottub/hottubExports.h"
#include "hottub/hottubHashes.hpp"
#include "hottub/hottubHeapSizes.hpp"
#include "hottub/hottubLayers.hpp"
#include "hottub/hottubLog.hpp"
#include "hottub/hottubMemory.hpp"
#include "hottub/hottubMetaspace.hpp"
#include "hottub/hottubMirrors.hpp"
#include "hottub/hottubNativeCode.hpp"
#include "hottub/hottubOptions.hpp"
#include "hottub/hottubProcess.hpp"
#include "hottub/hottubReset.hpp"
#include "hottub/hottubRunCode.hpp"
#include "hottub/hottubRunLogs.hpp"
#include "hottub/hottubServices.hpp"
#include "hottub/hottubSignals.hpp"
#include "hottub/hottubSnapshot.hpp"
#include "hottub/hottubStopwatch.hpp"
#include "hottub/hottubStrings.hpp"
#include "hottub/hottubThreadUse.hpp"
#include "hottub/hottubThreads.hpp"
#include "logging/log.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/method.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/thread.inline.hpp"
#include "runtime/vmOperations.hpp"
#include "runtime/vmThread.hpp"

void HotTub::throw_death(JavaThread* thread) {
  HotTubThreads::stop_application_code(thread);
  HotTubThreads::throw_death(thread);
}

void HotTub::begin_thread(JavaThread* created) {
  HotTubThreads::begin_thread(created);
  HotTubHashes::begin_thread(created);
}

void HotTub::begin_notifying(JavaThread* notifier) { HotTubThreads::begin_notifying(notifier); }

void HotTub::end_notifying(JavaThread* notifier) { HotTubThreads::end_notifying(notifier); }

bool HotTub::intercept_halt(JavaThread* thread, jint status) {
  return !HotTubClone::is_one() && HotTubThreads::intercept_halt(thread, status);
}

// Not by RegisterNatives, which warns of it, nor after FindClass, which initializes the class.
static bool replace_native(const HotTubNative* native, TRAPS) {
  Symbol* name = SymbolTable::new_symbol(native->holder);
  Klass* holder = SystemDictionary::resolve_or_null(name, THREAD);
  CLEAR_PENDING_EXCEPTION;
  if (holder == NULL) {
    return true;
  }
  Method* method = InstanceKlass::cast(holder)->find_method(
      SymbolTable::new_symbol(native->name), SymbolTable::new_symbol(native->signature));
  if (method == NULL || !method->is_native()) {
    return false;
  }
  method->set_native_function((address)native->function, Method::native_bind_event_is_interesting);
  return true;
}

// Each that there is; false if one is missing.
static bool replace_natives(const HotTubNative* natives, int count, TRAPS) {
  bool all = true;
  for (int i = 0; i < count; i++) {
    all = replace_native(&natives[i], THREAD) && all;
  }
  return all;
}

extern "C" JNIEXPORT void JNICALL HotTub_Enable() { UseHotTub = true; }

JNI_ENTRY(void, HotTub_Created(JNIEnv* env))
HotTubHashes::take(thread);
JNI_END

JNI_ENTRY(jint,
          HotTub_Initialize(JNIEnv* env, void (*on_ending)(int status),
                            void (*on_stuck)(const char* why), void (*on_crash)(const char* text),
                            const HotTubNative* natives, int native_count))
if (!UseHotTub || !HotTubMirrors::initialize() || !HotTubSnapshot::initialize() ||
    !HotTubDefinitions::initialize()) {
  return -1;
}
if (!replace_natives(natives, native_count, THREAD)) {
  return -1;
}
int own_count;
const HotTubNative* own = HotTubThreadUse::natives(&own_count);
replace_natives(own, own_count, THREAD);
HotTubRunCode::initialize();
HotTubCrash::initialize(on_crash);
bool started = HotTubThreads::initialize(thread, on_ending, on_stuck, CHECK_(-1));
return started ? 0 : -1;
JNI_END

JNI_ENTRY(jint, HotTub_TakeSnapshot(JNIEnv* env))
HotTubStopwatch watch;
HotTubOptions::take();
HotTubServices::take();
HotTubLayers::take();
HotTubRunLogs::take();
HotTubContainer::take();
HotTubHeapSizes::take();
HotTubThreadUse::take();
HotTubHashes::restore(thread);
HotTubSnapshot::take(thread, CHECK_(-1));
HotTubStrings::take();
HotTubBlocks::close_base();
HotTubMetaspace::take();
log_info(hottub)("S0: %d objects recorded in %ld us", HotTubSnapshot::objects(), watch.us());
return HotTubSnapshot::objects();
JNI_END

JNI_ENTRY(void, HotTub_BeginRun(JNIEnv* env))
HotTubAttach::end(thread);
HotTubOptions::begin_run();
HotTubServices::begin_run();
HotTubContainer::begin_run();
HotTubLog::lease_begins();
HotTubRunCode::begin_run();
HotTubHeapSizes::begin_run();
HotTubClocks::begin_run();
HotTubThreadUse::begin_run();
HotTubEvents::forget();
HotTubConflicts::forget();
HotTubRunLogs::begin();
HotTubThreads::begin_run();
JNI_END

JNI_ENTRY(void, HotTub_EnterMain(JNIEnv* env))
HotTubHashes::enter_main(thread);
HotTubLog::main_is_entered();
JNI_END

extern "C" JNIEXPORT jint JNICALL HotTub_AwaitEnd(JNIEnv* env, jint status) {
  // Not JNI_ENTRY: the pending exception of main is the input.
  JavaThread* thread = JavaThread::thread_from_jni_environment(env);
  ThreadInVMfromNative in_vm(thread);
  HandleMarkCleaner hm(thread);
  return HotTubThreads::await_end(thread, status);
}

extern "C" JNIEXPORT void JNICALL HotTub_Revoke(int status) { HotTubThreads::revoke(status); }

JNI_ENTRY(void, HotTub_ForgetLibraries(JNIEnv* env))
HotTubNativeCode::forget_libraries();
JNI_END

JNI_ENTRY(void, HotTub_Restore(JNIEnv* env, HotTubReport* report))
HotTubReset::restore(report);
HotTubHashes::restore(thread);
JNI_END

JNI_ENTRY(void, HotTub_Collect(JNIEnv* env, HotTubReport* report))
HotTubReset::collect(report, CHECK);
JNI_END

JNI_ENTRY(void, HotTub_FreeMemory(JNIEnv* env))
HotTubMemory::release_blocks(thread);
HotTubThreadUse::end_run();
HotTubEvents::forget();
JNI_END

// Compilers read files in the VM, where a safepoint does not meet them.
class VM_HotTubVisitFiles : public VM_Operation {
  void (*const _visit)(void* data);
  void* const _data;

 public:
  VM_HotTubVisitFiles(void (*visit)(void* data), void* data) : _visit(visit), _data(data) {}
  VMOp_Type type() const { return VMOp_HotTub; }
  void doit() { _visit(_data); }
};

JNI_ENTRY(void, HotTub_VisitFiles(JNIEnv* env, void (*visit)(void* data), void* data))
VM_HotTubVisitFiles op(visit, data);
VMThread::execute(&op);
JNI_END

JNI_ENTRY(void, HotTub_BecomeTemplate(JNIEnv* env))
HotTubCompilation::forget_counts();
HotTubMemory::release_chunks();
JNI_END

JNI_ENTRY(void, HotTub_Audit(JNIEnv* env, HotTubReport* report, jboolean explain))
HotTubAudit::perform(report, explain != JNI_FALSE, CHECK);
HotTubMetaspace::note_kept();
JNI_END

extern "C" JNIEXPORT void JNICALL HotTub_SetProcess(jint id) { HotTubProcess::set(id); }

JNI_ENTRY(jint, HotTub_SetOption(JNIEnv* env, const char* option))
return HotTubOptions::set(option) ? 0 : -1;
JNI_END

JNI_ENTRY(jint, HotTub_SetArguments(JNIEnv* env, const char* const* arguments, int count))
HotTubOptions::set_arguments(arguments, count);
HotTubSignals::hold();  // the run can be sent one as soon as the host says that it is entered
return HotTubServices::beyond_restoring() == NULL ? 0 : -1;
JNI_END

JNI_ENTRY(jint, HotTub_BecomeClone(JNIEnv* env, const HotTubThreadIds* ids, int count,
                                   jboolean ends_with_run))
HotTubClone::begin(ids, count, ends_with_run != JNI_FALSE);
return 0;
JNI_END

extern "C" JNIEXPORT jint JNICALL HotTub_Compilations() { return HotTubClone::compilations(); }

extern "C" JNIEXPORT const char* JNICALL HotTub_Conflict() { return HotTubConflicts::first(); }

extern "C" JNIEXPORT void JNICALL HotTub_LogOutcome(const char* retire_reason) {
  HotTubLog::outcome(retire_reason);
}
