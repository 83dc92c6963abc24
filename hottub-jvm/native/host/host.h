// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_HOST_H_
#define HOTTUB_HOST_H_

// The host program around libjvm.so. Two threads: the first one talks to the keeper, "main" creates
// the VM and runs one lease after the other.

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"
#include "hottubExports.h"
#include "lease.h"
#include "reasons.h"

// One lease on its way from the keeper to main.
struct start {
  int fds[CONTROL_MAX_DESCRIPTORS];  // lease block, token, then one for each target
  size_t fd_count;
  int targets[CONTROL_MAX_DESCRIPTORS];
  size_t target_count;
  uint64_t block_length;
};

// --- doubt.c: why this JVM cannot serve another run ----------------------------------------------

struct doubt {
  char text[1024];  // empty: there is none
};

// In place of what it was. The sentence is one of reasons.tsv, by its name: DOUBT_....
void doubt_because(struct doubt *doubt, const char *sentence, ...)
    __attribute__((format(printf, 2, 3)));

// --- home.c: where this HotTub home is -----------------------------------------------------------

// The absolute path of NAME in the home that this program belongs to; 0, or -1.
int home_path(char *path, size_t size, const char *name);

// --- directories.c: directory streams ------------------------------------------------------------

// Closes those that threads of the run have opened, while their descriptors are still in use.
void directories_close(void);

// --- output.c: what the VM says while it starts --------------------------------------------------

// Warnings about options and modules: a stock JVM gives them in every run. Between these two calls,
// what is written to stdout and stderr is kept; then it also goes where it would have gone.
void output_keep(void);
void output_release(void);

// Says it again, to the run that begins.
void output_repeat(void);

// --- vm.c: the VM and what it offers -------------------------------------------------------------

struct vm {
  JNIEnv *env;
  jclass runtime;      // java.lang.HotTub
  char *library_path;  // default of the property java.library.path
  jmethodID begin, release, renumber, settle;
  jint (*await_end)(JNIEnv *);
  void (*begin_run)(JNIEnv *);
  void (*enter_main)(JNIEnv *);
  void (*revoke)(int);
  void (*restore)(JNIEnv *, HotTubReport *);
  void (*collect)(JNIEnv *, HotTubReport *);
  void (*free_memory)(JNIEnv *);
  void (*audit)(JNIEnv *, HotTubReport *, jboolean);
  jint (*set_option)(JNIEnv *, const char *);
  jint (*set_arguments)(JNIEnv *, const char *const *, int);
  void (*log_outcome)(const char *);
};

// Creates the VM on the calling thread and takes S0. on_ending gets the status of each run as soon
// as it is known; on_stuck is called, and ends the process, if the run cannot be ended. 0, or -1
// with a sentence in err.
int vm_create(struct vm *vm, char **options, int count, void (*on_ending)(int),
              void (*on_stuck)(const char *), char *err, size_t errlen);

// Properties and class path of the run. 0, or -1 with a sentence in err.
int vm_begin(struct vm *vm, const struct lease *lease, char *err, size_t errlen);

// Loads the main class as the launcher does and runs main; returns the exit status when no thread
// of the run is left. Ends the run at once if it is revoked already.
int vm_run(struct vm *vm, const struct lease *lease, const atomic_bool *is_revoked);

// After a run: frees native memory of the run, and unloads its native libraries, or leaves that to
// the reset: their destructors may still write to the run's descriptors. Returns how many
// descriptors belong to the class loaders and stay, at most `room` of them in kept; -1 with a doubt
// if that failed.
int vm_release(struct vm *vm, bool unload, int *kept, size_t room, struct doubt *doubt);

// Everything back to S0. False if something is left, report->text says what.
bool vm_reset(struct vm *vm, HotTubReport *report);

// --- identity.c: what a run sees of its own process through the class library --------------------

// The native methods that show it; their number, or -1 if this JDK is not supported.
int identity_natives(const HotTubNative **all);

// The run of this lease starts now; lease has to stay until identity_end.
void identity_begin(const struct lease *lease);
void identity_end(void);

// --- libraries.c: native libraries of runs -------------------------------------------------------

enum library_rule { LIBRARY_RETIRE, LIBRARY_KEEP };

// Shell patterns for file names: a run that has loaded one of these retires the JVM; these may stay
// loaded. -1 if there are too many. The pattern is not copied.
int libraries_add_rule(enum library_rule rule, const char *pattern);

// At S0.
void libraries_remember(void);

// Before its libraries are unloaded, and after a reset. False with a doubt.
bool libraries_may_be_reset(struct doubt *doubt);
bool libraries_are_gone(struct doubt *doubt);

// --- process.c: what a process inherits ----------------------------------------------------------

// Keeps low descriptor numbers free for applications: while the VM is created, and never after.
void process_reserve_descriptors(void);
void process_release_descriptors(void);

// Remembers the state that every run starts from and every reset comes back to. At S0.
void process_remember(int control);

// Gives the process what the lease says. On -1 nothing of it is in force any more; err says why.
int process_apply(const struct lease *lease, struct start *start, char *err, size_t errlen);

// What native code of the run has written to streams of the C library is written out, as by the
// end of a process, or dropped, as by a signal that ends it.
void process_end_streams(bool write_out);

// The run is over: takes everything back and gives up what it had open, but for the descriptors in
// kept (sorted or not). The numbers stay occupied by /dev/null: objects of the run that are
// still to be collected may close them. False with a doubt if something could not be taken back.
bool process_end_run(const int *kept, size_t count, struct doubt *doubt);

// A copy of a descriptor with a number above those that runs inherit; the descriptor itself if its
// number is that high already, or there is no other.
int process_lift_descriptor(int number);

// After the collection: the numbers are free again.
void process_free_numbers(const int *kept, size_t count);

// Takes notice of child processes that have ended. False with a doubt if one of the run still
// lives: it is to have no parent, and the next run no child.
bool process_has_no_children(struct doubt *doubt);

// --- attributes.c: what only native code changes -------------------------------------------------

// At S0, on the main thread.
void attributes_remember(void);

// After a run, on the main thread. False with a doubt if it has changed one of them.
bool attributes_are_as_before(struct doubt *doubt);

#endif  // HOTTUB_HOST_H_
