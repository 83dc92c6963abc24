// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_VM_H_
#define HOTTUB_HOST_VM_H_

// The VM and what it offers.

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "doubt.h"
#include "hottubExports.h"
#include "lease.h"

struct vm {
  JNIEnv *env;
  jclass runtime;      // java.lang.HotTub
  char *library_path;  // default of the property java.library.path
  jmethodID begin, end_references, release, new_classes, suspect, renumber, settle, unload;
  jint (*await_end)(JNIEnv *, jint);
  void (*begin_run)(JNIEnv *);
  void (*enter_main)(JNIEnv *);
  void (*revoke)(int);
  void (*forget_libraries)(JNIEnv *);
  void (*restore)(JNIEnv *, HotTubReport *);
  void (*collect)(JNIEnv *, HotTubReport *);
  void (*free_memory)(JNIEnv *);
  void (*visit_files)(JNIEnv *, void (*)(void *), void *);
  void (*audit)(JNIEnv *, HotTubReport *, jboolean);
  void (*set_process)(jint);
  jint (*set_option)(JNIEnv *, const char *);
  jint (*set_arguments)(JNIEnv *, const char *const *, int);
  void (*log_outcome)(const char *);
  void (*become_template)(JNIEnv *);
  jint (*become_clone)(JNIEnv *, const HotTubThreadIds *, int, jboolean);
  jint (*compilations)(void);
  const char *(*conflict)(void);
};

// Creates the VM on the calling thread and takes S0. on_ending gets the status of each run as soon
// as it is known; on_stuck is called, and ends the process, if the run cannot be ended; on_crash by
// a thread that has crashed, with where and why. 0, or -1 with a sentence in err.
int vm_create(struct vm *vm, char **options, int count, void (*on_ending)(int),
              void (*on_stuck)(const char *), void (*on_crash)(const char *), char *err,
              size_t errlen);

// Properties and class path of the run; process is what it shall take for its own number. 0, or -1
// with a sentence in err.
int vm_begin(struct vm *vm, const struct lease *lease, pid_t process, char *err, size_t errlen);

// Of main's thread, for the host program and the reset: a run has none of it.
enum { STACK_SPARE = 128 * 1024 };

// Loads the main class as the launcher does and runs main; returns the exit status when no thread
// of the run is left. Ends the run at once if it is revoked already.
int vm_run(struct vm *vm, const struct lease *lease, const atomic_bool *is_revoked);

// On the main thread of a clone, before its run: the VM takes notice that it is another process,
// which ends with the run, or is trained further.
bool vm_become_clone(struct vm *vm, bool ends_with_run);

// As vm_run, but what ends is the process, as a stock JVM.
_Noreturn void vm_run_as_process(struct vm *vm, const struct lease *lease);

// After a run, in this order. False with a doubt.
// Frees native memory of the run; no method leads to its native libraries any more.
bool vm_end_references(struct vm *vm, struct doubt *doubt);
// Unloads these. Or else that is left to the reset: their destructors may still write to the run's
// descriptors.
bool vm_unload(struct vm *vm, struct doubt *doubt);

// After these. Returns how many descriptors belong to the class loaders and stay, at most `room` of
// them in kept; -1 with a doubt if that failed.
int vm_release(struct vm *vm, int *kept, size_t room, struct doubt *doubt);

// After vm_release: are the classes that the run was the first to load of its class path? If not,
// vm_reset finds it. Returns whether there are any. Leaves a doubt if that cannot be told.
bool vm_check_classes(struct vm *vm, const struct lease *lease, struct doubt *doubt);

// Everything back to S0. False if something is left, report->text says what.
bool vm_reset(struct vm *vm, HotTubReport *report);

#endif  // HOTTUB_HOST_VM_H_
