// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBEXPORTS_H
#define SHARE_HOTTUB_HOTTUBEXPORTS_H

#include <jni.h>

// What libjvm.so offers to the host program beside the invocation interface.
// Unless stated otherwise: to be called by the thread that created the VM, without Java frames
// below it, in the order of this file.

#ifdef __cplusplus
extern "C" {
#endif

enum { HOTTUB_TEXT_MAX = 3000 };

// Libraries of the JDK that stay after a run that has loaded them: what the VM itself loads, what
// that is linked to, what classes that are kept have native methods in, and one without variables
// that each run with a socket has loaded. All others go as those of applications do: they may
// remember for good what is of the run, as whether there is a display. What these have in static
// variables was looked at (state.tsv, list "native").
#define HOTTUB_STAYING_LIBRARIES                                                  \
  "libextnet.so", "libinstrument.so", "libjimage.so", "libjli.so", "libjsvml.so", \
      "libmanagement.so", "libnet.so", "libnio.so", "libsyslookup.so", "libverify.so", "libzip.so"

// Of these: each run loads it anew, as far as the class library knows. Its JNI_OnLoad reads
// java.net.preferIPv4Stack, which a program may have set before.
#define HOTTUB_LIBRARIES_LOADED_ANEW "libnet.so"

// Times are microseconds.
typedef struct HotTubReport {
  int doubt;             // 1: something is left, retire the JVM; text says what
  int classes_barrier;   // classes that will be initialized again
  int classes_trivial;   // classes whose statics were cleared
  int snapshot_changes;  // fields and array elements brought back
  int loaders;           // class loaders of the run that are left
  int leftovers;         // objects of classes that the run has initialized
  long restore_us;
  long collect_us;
  long audit_us;
  size_t heap_used;  // bytes
  size_t metaspace_used;
  size_t code_used;
  int compilations;      // since the start of the JVM
  int traps;             // times that compiled code was left for the interpreter, since then
  char left_class[200];  // one class of the application of which objects are left, or empty
  char text[HOTTUB_TEXT_MAX];
} HotTubReport;

// A native method of the JDK for which the host has a function of its own.
typedef struct HotTubNative {
  const char* holder;  // as in a class file
  const char* name;
  const char* signature;
  void* function;
} HotTubNative;

// A thread's id in the process that this one is a copy of, and here.
typedef struct HotTubThreadIds {
  int before;
  int now;
} HotTubThreadIds;

// Before JNI_CreateJavaVM: this VM will serve runs. No option says so, as the VM would have to be
// told to take options that a stock JVM refuses, and would show it among its flags.
JNIEXPORT void JNICALL HotTub_Enable(void);

// Right after JNI_CreateJavaVM.
JNIEXPORT void JNICALL HotTub_Created(JNIEnv* env);

// Returns 0, or -1 if this JDK is not supported. on_ending is called once in every
// run, on a thread of the VM, with the exit status, before the run's threads end. If they cannot
// be ended, on_stuck is called after it with the reason, and ends the process. on_crash is called
// on a thread that has crashed, before the process ends, with what the report says of where and
// why, in lines; it may call only what a handler of signals may. Natives of modules that this JVM
// does not have are left out.
JNIEXPORT jint JNICALL HotTub_Initialize(JNIEnv* env, void (*on_ending)(int status),
                                         void (*on_stuck)(const char* why),
                                         void (*on_crash)(const char* text),
                                         const HotTubNative* natives, int native_count);

// Takes S0. Returns the number of recorded objects or -1 with an exception pending.
JNIEXPORT jint JNICALL HotTub_TakeSnapshot(JNIEnv* env);

// The run begins: its main class is about to be loaded.
JNIEXPORT void JNICALL HotTub_BeginRun(JNIEnv* env);

// The main class is loaded, and about to be initialized and entered.
JNIEXPORT void JNICALL HotTub_EnterMain(JNIEnv* env);

// main has returned, perhaps with an exception pending. Waits for the last
// non-daemon thread, runs the shutdown hooks, ends all threads of the run. Returns the exit status:
// the given one, unless main has thrown an exception, or the run was ended.
JNIEXPORT jint JNICALL HotTub_AwaitEnd(JNIEnv* env, jint status);

// Ends the run now, without hooks; nothing while there is no run. Any thread of the process, at any
// time.
JNIEXPORT void JNICALL HotTub_Revoke(int status);

// Before libraries are unloaded, when no Java code of the run or for it is left to be executed: no
// method leads to one that does not stay, and what these have created of references is deleted.
JNIEXPORT void JNICALL HotTub_ForgetLibraries(JNIEnv* env);

// The parts of a reset. The host runs Java code between them, and restores once more after
// the last of it. The report is zeroed by the host and filled up by all parts.
JNIEXPORT void JNICALL HotTub_Restore(JNIEnv* env, HotTubReport* report);
JNIEXPORT void JNICALL HotTub_Collect(JNIEnv* env, HotTubReport* report);

// After all cleaners: frees what the run has allocated outside of the heap, and wipes what it
// has left there, also of what the VM remembers.
JNIEXPORT void JNICALL HotTub_FreeMemory(JNIEnv* env);

// Calls `visit` on another thread while no compiler has a file open: they ask now and then how much
// memory there is, for which the VM reads files of the kernel.
JNIEXPORT void JNICALL HotTub_VisitFiles(JNIEnv* env, void (*visit)(void* data), void* data);

// Before the JVM is copied: frees what it keeps for its next run, and clones would free. Methods
// are counted anew, so that each clone compiles what is hot in its own run only.
JNIEXPORT void JNICALL HotTub_BecomeTemplate(JNIEnv* env);

// Looks whether the JVM is at S0. With `explain`, also what leads to objects that are left.
JNIEXPORT void JNICALL HotTub_Audit(JNIEnv* env, HotTubReport* report, jboolean explain);

// What the run takes for the number of its process (RuntimeMXBean.getName, names of heap dumps and
// logs) until the JVM is reset.
JNIEXPORT void JNICALL HotTub_SetProcess(jint id);

// Sets an option of HotSpot for the run, as on the command line: only those about
// OutOfMemoryError, fatal errors and heap dumps, and system properties (-D). Returns 0, or -1 if
// not allowed.
JNIEXPORT jint JNICALL HotTub_SetOption(JNIEnv* env, const char* option);

// The options that the run shows as its own (RuntimeMXBean.getInputArguments). Returns 0, or -1 if
// the JVM is no longer what it was at its audit: a tool has loaded an agent into it.
JNIEXPORT jint JNICALL HotTub_SetArguments(JNIEnv* env, const char* const* arguments, int count);

// This process is a copy of an idle JVM, with all its threads. With `ends_with_run` it serves one
// run, which ends as a stock JVM does; else one after the other, as that JVM did. Returns 0.
JNIEXPORT jint JNICALL HotTub_BecomeClone(JNIEnv* env, const HotTubThreadIds* ids, int count,
                                          jboolean ends_with_run);

// How many methods this process has compiled since then. Any thread, also when there is no VM any
// more.
JNIEXPORT jint JNICALL HotTub_Compilations(void);

// Name of a class of an earlier run because of which this run has got a LinkageError, or NULL. Any
// thread, also when there is no VM any more.
JNIEXPORT const char* JNICALL HotTub_Conflict(void);

// A line in the JVM's own log: it is idle again (NULL), or retires for this reason. Any thread of
// the process.
JNIEXPORT void JNICALL HotTub_LogOutcome(const char* retire_reason);

#ifdef __cplusplus
}
#endif

#endif  // SHARE_HOTTUB_HOTTUBEXPORTS_H
