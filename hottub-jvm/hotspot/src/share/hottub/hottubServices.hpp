// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBSERVICES_HPP
#define SHARE_HOTTUB_HOTTUBSERVICES_HPP

#include "memory/allStatic.hpp"
#include "utilities/exceptions.hpp"

// What the VM keeps for management interfaces and diagnostic commands.
class HotTubServices : AllStatic {
 public:
  // At S0, between two runs, and when main is about to be entered.
  static void take();
  static void restore();
  static void begin_run();

  // Main class and arguments, by which jps and jcmd know a JVM: those of the run, or none.
  static void set_command(const char* command);

  // The command line of the run asks for a management agent: what it leaves behind can be restored,
  // unlike that of one that a tool starts in a JVM without the agent's module.
  static void expect_management_agent();

  // One more thread has been started, without ThreadService.
  static void count_thread();

  // Listeners of the run hear of no more collections. False while there is more to tell.
  static bool has_notified();

  // Services that change the VM for good: what a run has started of them, or NULL.
  static const char* beyond_restoring();
};

#endif  // SHARE_HOTTUB_HOTTUBSERVICES_HPP
