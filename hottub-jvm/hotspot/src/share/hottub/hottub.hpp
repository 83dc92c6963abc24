// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUB_HPP
#define SHARE_HOTTUB_HOTTUB_HPP

#include "memory/allStatic.hpp"
#include "runtime/thread.hpp"

// A JVM that serves many runs.  S0 is the moment before the first run; a reset brings everything
// back to it.  The host program drives it through the functions of HotTubExports, always from the
// thread that created the VM and runs main ("the main thread").  The modules, by when they work:
//
// Before the first run
//   HotTubSnapshot     records S0: the state of classes that are never initialized again, and of
//                      every object that they lead to
//   HotTubStrings      gives strings the hash codes by which it knows them again
//   HotTubOptions,     remember the options of the VM, and what it keeps for management
//   HotTubServices,
//   HotTubCounters
//
// In a copy of an idle JVM
//   HotTubClone        is another process, and ends as one
//
// When a lease begins
//   HotTubExports      the order of what the host asks for, here and in all that follows
//   HotTubOptions      sets the options, properties and arguments of the run
//   HotTubProcess      the run takes itself for the process that its caller has started
//   HotTubContainer    looks at the control groups of the run
//   HotTubClocks       soft references are young, the heap has just been looked at
//   HotTubThreadUse    counts of threads begin anew
//   HotTubEvents       the VM has nothing to tell of what was before
//   HotTubHashes       identity hash codes are drawn as in a new JVM
//   HotTubSignals      signals wait until the run can take them
//   HotTubRunLogs      opens the logs that the run asks for
//
// During the run
//   HotTubClasses      which classes may be initialized again; told of every initialization
//   HotTubClassLists   classes of the JDK that never are
//   HotTubBarriers     the checks that code of C2 makes of that
//   HotTubConstants    values of such classes that compiled code may hold
//   HotTubLinkage      call sites and constants that may lead to objects of the run
//   HotTubDefinitions  classes that the run defines in a class loader that stays
//   HotTubHidden       those of them that no other run finds
//   HotTubEviction     a class of an earlier run gives way to one of this
//   HotTubConflicts    notes when it cannot
//   HotTubBlocks       memory that the run allocates outside of the heap
//   HotTubCompilation  when a method is worth a better compiler
//   HotTubRunCode      code for this run alone, once it has lasted
//
// The run ends
//   HotTubThreads      when, and how its threads end without running any more of its code
//   HotTubSignals      no thread is started for a signal any more
//   HotTubInside       which threads have to come out of the class library before
//   HotTubNativeCode   what of its native code can be ended, and its libraries forgotten
//   HotTubRunLogs      closes its logs
//
// The reset
//   HotTubReset        the order of what follows, but for the audit
//   HotTubOptions,     go back to the values of S0
//   HotTubServices,
//   HotTubCounters
//   HotTubDefinitions  takes classes out of loaders
//   HotTubClasses      puts classes back to the linked state, clears statics
//   HotTubMirrors      clears what java.lang.Class caches
//   HotTubLinkage      unlinks call sites and constants
//   HotTubSnapshot     writes S0 back
//   HotTubCompilation  forgets methods of the run, halves counters
//   HotTubMemory       gives free memory back, or wipes it
//   HotTubMetaspace    how much of it the next run may have
//   HotTubHeapSizes    divides the heap as in a new JVM
//   HotTubBlocks       frees what is left
//   HotTubHashes       goes back to the generators of S0
//
// Before the JVM is idle
//   HotTubAudit        looks whether it is at S0
//   HotTubStrings      whether strings are what they were
//   HotTubWritten      whether classes are
//   HotTubLayers       whether modules are
//   HotTubHalfDone     whether something was begun and not finished
//   HotTubPaths        explains what is left
//
// At any time
//   HotTubAttach       keeps what attached tools need out of the way of runs
//   HotTubLog          the JVM's own log of its leases (-Xlog:hottub*)
//   HotTubCrash        tells the host of a crash
//   HotTubStopwatch    how long a phase takes
//   HotTubPrivate      access to private members of HotSpot
class HotTub : AllStatic {
 public:
  // True for a thread that a reset or an intercepted exit is ending: it finds no
  // exception handler and cannot call Java code, so it only releases its monitors.
  static bool is_dying(const JavaThread* thread) {
    return thread->hottub_role() == HotTubThreadRole::dying;
  }

  // Makes the pending exception of a dying thread the one that unwinds it.
  static void throw_death(JavaThread* thread);

  // A thread is being made, and has its entry.
  static void begin_thread(JavaThread* created);

  // The thread that tells of collections and full pools is about to call listeners, or to wait
  // for more to tell; under the lock that it waits with.
  static void begin_notifying(JavaThread* notifier);
  static void end_notifying(JavaThread* notifier);

  // Runtime.halt.  True if the run ends and the JVM stays; the caller then
  // unwinds.  False before the first run: the process ends.
  static bool intercept_halt(JavaThread* thread, jint status);
};

#endif  // SHARE_HOTTUB_HOTTUB_HPP
