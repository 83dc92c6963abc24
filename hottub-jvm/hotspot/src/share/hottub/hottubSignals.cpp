// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubSignals.hpp"
#include "runtime/atomic.hpp"
#include "runtime/globals.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/os.hpp"
#include "runtime/thread.inline.hpp"

#include <signal.h>

enum Phase { handing_out, holding, dropping };

static volatile int _phase = handing_out;
// The dispatcher has not come to the mark yet: a number that is no signal's, and that it takes
// after all others (see check_pending_signals).
static volatile bool _awaits_mark = false;

void HotTubSignals::hold() { Atomic::release_store_fence(&_phase, (int)holding); }

void HotTubSignals::begin_run() { Atomic::release_store_fence(&_phase, (int)handing_out); }

void HotTubSignals::drop() { Atomic::release_store_fence(&_phase, (int)dropping); }

void HotTubSignals::end_run() {
  drop();
  if (!ReduceSignalUsage) {  // else there is no dispatcher
    Atomic::release_store_fence(&_awaits_mark, true);
    os::signal_notify(os::sigexitnum_pd());
  }
}

bool HotTubSignals::are_handed_out() { return !Atomic::load_acquire(&_awaits_mark); }

bool HotTubSignals::take(JavaThread* dispatcher, int number) {
  if (number == os::sigexitnum_pd()) {
    const bool is_mark = Atomic::load_acquire(&_awaits_mark);
    Atomic::release_store_fence(&_awaits_mark, false);
    return is_mark;
  }
  // The keeper's deadline for an entry ends this.
  while (Atomic::load_acquire(&_phase) == holding) {
    ThreadBlockInVM blocked(dispatcher);
    os::naked_short_nanosleep(50 * 1000);
  }
  // Tools that attach to an idle JVM, and who looks at its threads, do so by a signal.
  const bool is_of_idle = number == SIGQUIT && are_handed_out();
  return Atomic::load_acquire(&_phase) == dropping && !is_of_idle;
}
