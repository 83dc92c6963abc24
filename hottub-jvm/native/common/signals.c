// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's own, which is not that of the C library.
struct action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

uint64_t signals_ignored(void) {
  uint64_t ignored = 0;
  for (int number = 1; number <= SIGNALS_LAST; number++) {
    struct action action = {0};
    if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof action.mask) == 0 &&
        action.handler == SIG_IGN) {
      ignored |= signals_bit(number);
    }
  }
  return ignored;
}

uint64_t signals_blocked(void) {
  uint64_t set = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &set, sizeof set);
  return set;
}

uint64_t signals_pending(void) {
  uint64_t set = 0;
  syscall(SYS_rt_sigpending, &set, sizeof set);
  return set;
}

void signals_block(uint64_t set) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &set, NULL, sizeof set);
}

static void set(int number, void (*handler)(int)) {
  struct action action = {.handler = handler};
  syscall(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask);
}

void signals_default(int number) { set(number, SIG_DFL); }

void signals_ignore(int number) { set(number, SIG_IGN); }

void signals_reset(void) {
  for (int number = 1; number <= SIGNALS_LAST; number++) signals_default(number);
  signals_block(0);
}

int signals_descriptor(uint64_t set) {
  return (int)syscall(SYS_signalfd4, -1, &set, sizeof set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_descriptor_set(int descriptor, uint64_t set) {
  syscall(SYS_signalfd4, descriptor, &set, sizeof set, SFD_CLOEXEC | SFD_NONBLOCK);
}
