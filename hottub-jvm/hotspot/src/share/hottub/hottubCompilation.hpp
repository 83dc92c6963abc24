// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCOMPILATION_HPP
#define SHARE_HOTTUB_HOTTUBCOMPILATION_HPP

#include "memory/allStatic.hpp"

// When a method is worth a better compiler in a JVM whose runs are short.
//
// Counters add up over runs: after a hundred of them, most of what an application ever
// calls looks hot, and a compiler thread costs more than the code that it makes saves.
// So a method is judged by about two runs, and is not profiled (tier 3 code runs a third
// slower than tier 2 code) before it has been called often enough to get to tier 4 soon.
// What is hot within one run gets there as on a stock JVM.
class HotTubCompilation : AllStatic {
 public:
  // Is tier 2 enough for a method with these counts?
  static bool is_lukewarm(int invocations, int backedges);

  // Between two runs.
  static void age_counters();

  // For good, on a JVM whose compilers are quiet: what is not compiled yet has to become hot again.
  static void forget_counts();

  // Code adds up over runs. True: the next run may find less room for its own than a new JVM has
  // for a run that needs half of the code cache, or was told already that there is none.
  static bool is_cache_short();

  // Takes methods that will be unloaded out of the compilers' queues.
  static void drop_queued_of_run(JavaThread* thread);

  // The compilations that run at some moment. They hold classes of the run, and with them its
  // class loaders, until they end.
  class Running {
    static const int max = 64;
    int _ids[max];
    int _count = 0;

   public:
    // At a safepoint.
    void take();
    bool is_none() const { return _count == 0; }
    // Waits for the end of all that were taken. False if the deadline (os::javaTimeNanos) is over.
    bool await_end(JavaThread* thread, jlong deadline) const;

   private:
    bool includes(int id) const;
  };

  // From hold() on none begins, until the end of this or of another pause; what has waited to be
  // compiled does not any more.
  class Pause {
    bool _is_own = false;  // nobody else has stopped them

   public:
    ~Pause();
    void hold();
  };
};

#endif  // SHARE_HOTTUB_HOTTUBCOMPILATION_HPP
