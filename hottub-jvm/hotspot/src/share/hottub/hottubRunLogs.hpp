// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBRUNLOGS_HPP
#define SHARE_HOTTUB_HOTTUBRUNLOGS_HPP

#include "memory/allStatic.hpp"
#include "runtime/os.hpp"

// The logs that the command line of a run asks for: -Xlog:..., -verbose:gc, and what was before
// these (-Xloggc:..., -XX:+PrintGC, -XX:+PrintGCDetails). They are opened when the run begins and
// closed when it has ended. What a stock JVM logs while it starts and when it exits is logged then.
// The client only lets those through for which this class knows all of that (client/logs.c).
class HotTubRunLogs : AllStatic {
  static double _started;  // seconds since the JVM was started; 0 between runs

 public:
  // S0: remembers which outputs there are.
  static void take();

  // Before the run: one of its options. False if it is not about logs.
  static bool add(const char* option);

  // The run begins. An output that cannot be opened is said as by a stock JVM, and the run goes on.
  static void begin();

  // The run has ended, by itself or killed, in which case nothing more is logged.
  static void end(bool is_killed);

  // The run does not begin.
  static void forget();

  // Seconds, for the decorations of messages: since the run has begun.
  static double uptime() { return os::elapsedTime() - _started; }
};

#endif  // SHARE_HOTTUB_HOTTUBRUNLOGS_HPP
