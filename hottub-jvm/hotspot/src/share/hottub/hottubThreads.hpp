// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBTHREADS_HPP
#define SHARE_HOTTUB_HOTTUBTHREADS_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// The end of a run: which threads belong to it, when it ends, and how they end.
class HotTubThreads : AllStatic {
 public:
  // Called once with the status of a run as soon as it is known, from a thread of the VM.
  typedef void (*EndingCallback)(int status);

  // Called, instead of an end, if something of the run cannot be ended.  Ends the process, as the
  // end of a run on a stock JVM does.
  typedef void (*StuckCallback)(const char* why);

  // Records the threads that live now as the JVM's own and starts the thread that ends runs.
  static bool initialize(JavaThread* main, EndingCallback on_ending, StuckCallback on_stuck, TRAPS);

  static void begin_run();

  // Threads of the VM that come and go, with entries of their own: compilers, the one that serves
  // attached tools.
  static bool is_of_vm(JavaThread* thread);

  // At a safepoint: such threads forget what code of the class library has kept in their
  // thread-locals. Other threads are gone by then or part of the snapshot.
  static void forget_thread_locals();

  // At a safepoint: nobody has unparked a thread that stays.
  static void forget_permits();

  // At a safepoint, when no thread of the run is left: what led to the objects of those that have
  // ended. The VM's service thread gives it up in its own time.
  static void forget_ended();

  // On the main thread, after main has returned (perhaps with a pending exception):
  // does what the end of main and DestroyJavaVM do on a stock JVM, or what
  // is left to do if the run has been ended already; returns the exit status when no
  // application thread is left: that of the run's end, 1 for the exception, else the given one.
  static int await_end(JavaThread* main, int status);

  // Any thread, attached or not.  The first status counts.
  static void request_end(int status);

  // The same for the keeper; nothing while there is no run.
  static void revoke(int status);

  // One that the run starts while its threads are ended runs nothing any more: what these have left
  // half done would be in its way, and it would say so.
  static void begin_thread(JavaThread* created);

  // What the run has asked to be told of: its listeners end as its threads do, but not the thread
  // of the VM that calls them. Under the lock that this waits with.
  static void begin_notifying(JavaThread* notifier);
  static void end_notifying(JavaThread* notifier);

  static bool intercept_halt(JavaThread* thread, int status);
  static void throw_death(JavaThread* thread);

  // A dying thread is about to call Java code. Native code of the application that would see the
  // call fail and run on does not: it stays here, and with it the JVM is lost.
  static void stop_application_code(JavaThread* thread);

  // Application threads that live now, the main thread left out.
  static int application_threads();

  // At a safepoint: whether a thread of the run has ended with a monitor that it had by JNI.
  static bool are_monitors_left();

  // True once somebody asked for an exit while no run was active: the JVM is not to be trusted.
  static bool was_disturbed();

  // The class of the class library in which a thread had to be ended, or NULL: what it was doing
  // there may be half done.
  static InstanceKlass* left_inside();

 private:
  friend class VM_HotTubEndThreads;
  friend class HotTubEnder;
  static bool is_application(JavaThread* thread);
  static bool is_attached(JavaThread* thread);
  static void mark(JavaThread* thread);
  static void wake(JavaThread* thread, bool fail_calls);
  static void become_destroyer(JavaThread* main, TRAPS);
  static int finish_main(JavaThread* main);
  static void end_agents(JavaThread* thread);
  static void forget_death(JavaThread* thread);
  static void revive(JavaThread* main);
};

#endif  // SHARE_HOTTUB_HOTTUBTHREADS_HPP
