// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_BYTES = 64 * 1024, ABOVE_FIXED = 64 };

struct making {
  struct copy_plan *plan;
  sigset_t mask;
  jmp_buf in_copy;
  pid_t keeper;
  int error;
};

static void write_number(char *text, pid_t number) {
  char digits[12];
  int length = 0;
  do {
    digits[length++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (length > 0) *text++ = digits[--length];
  *text = '\0';
}

// Its own table of descriptors, so that nothing of it is seen in the first process.
static bool place_descriptors(struct copy_plan *plan) {
  int lifted[COPY_MAX_FDS];
  for (size_t i = 0; i < plan->fd_count; i++) {
    lifted[i] = fcntl(plan->fds[i], F_DUPFD, ABOVE_FIXED);
    if (lifted[i] < 0) return false;
  }
  for (size_t i = 0; i < plan->fd_count; i++) {
    if (dup2(lifted[i], COPY_FIRST_FD + (int)i) < 0) return false;
  }
  return close_range(COPY_FIRST_FD + (unsigned)plan->fd_count, ~0u, 0) == 0;
}

// In the process in between, which has the memory of the first one until it executes the program:
// the copy is made of that memory, and has a parent that lives on.
static int become_keeper(void *data) {
  struct making *m = data;
  struct copy_plan *plan = m->plan;
  m->keeper = (pid_t)syscall(SYS_getpid);
  // Not fork(): what it does before and after is wrong where other threads hold locks and go on.
  long copy = syscall(SYS_clone, SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, NULL, NULL,
                      plan->noted_id, 0);
  if (copy == 0) _longjmp(m->in_copy, 1);
  if (copy < 0) {
    m->error = errno;
    _exit(1);
  }
  write_number(plan->pid_text, (pid_t)copy);
  char *no_environment[] = {NULL};
  setsid();
  if (place_descriptors(plan)) execve(plan->program, plan->arguments, no_environment);
  m->error = errno;
  _exit(1);  // and the copy dies with it
}

static void begin_copy(const struct making *m) {
  pthread_sigmask(SIG_SETMASK, &m->mask, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != m->keeper) _exit(1);
  setsid();
}

int copy_make(struct copy_plan *plan) {
  // Of the process in between. The copy leaves it at once.
  static char stack[STACK_BYTES] __attribute__((aligned(16)));
  struct making m = {.plan = plan};
  if (_setjmp(m.in_copy) != 0) {
    begin_copy(&m);
    return 0;
  }
  // The keeper looks at signals that came before it could.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &m.mask);
  int keeper = clone(become_keeper, stack + sizeof stack,
                     CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, &m);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &m.mask, NULL);
  errno = error;
  if (keeper < 0) return -1;
  if (m.error == 0) return 1;
  errno = m.error;
  return -1;
}
