// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBNATIVECODE_HPP
#define SHARE_HOTTUB_HOTTUBNATIVECODE_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// Native code of a run: what of it can be ended, and what is left.
class HotTubNativeCode : AllStatic {
 public:
  // Before S0: records the threads of the process that are not the VM's, which are the host
  // program's, and its libraries; from then on global references of other code are counted.
  static void initialize();

  // At a safepoint.  True if the thread executes native code that does no harm when a system call
  // fails: the class library's, and what is known to wait only.  Other native code is left to
  // itself, as on a stock JVM, which lets it run on for a while too.
  static bool may_be_interrupted(JavaThread* thread);

  // At a safepoint.  True if native code that is not the class library's waits for a call of
  // Java code to return: it would see that call fail and run on.  A thread that native code has
  // attached has such code below its first Java frame.
  static bool is_called_by_application(JavaThread* thread, bool is_attached);

  // The same for the calling thread, which is about to call Java code.
  static bool calls_from_application(JavaThread* thread, bool is_attached);

  // Native code that may be interrupted: its system calls end with EINTR, and, because many are
  // repeated then, with EBADF if `fail`.  Only between the first two.
  static void begin_interrupting();
  static void end_interrupting();
  static void interrupt(JavaThread* thread, bool fail);

  // How long the thread had something to do and no processor since it began, in ns; 0 if the kernel
  // does not say.
  static jlong waited_for_processor_ns(const JavaThread* thread);

  // While no run is on: those of the host program are known from now on.
  static void remember_threads();

  // Threads of the process that nobody knows; threads that just end or begin may be among them. -1
  // if that cannot be told.
  static int unknown_threads(bool* all_sleep);

  // After the last thread of the run has ended: no native method leads to a library that it has
  // loaded, and global references of these are deleted.
  static void forget_libraries();
};

#endif  // SHARE_HOTTUB_HOTTUBNATIVECODE_HPP
