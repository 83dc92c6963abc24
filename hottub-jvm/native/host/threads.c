// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "threads.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"

// Neither the VM nor the class library uses it (they have SIGUSR2 and SIGRTMAX-2), and no run is on
// while it has a handler.
#define SIGNAL_HOLD (SIGRTMAX - 7)

enum {
  THREADS_MAX = 4096,
  HOLD_MS = 2000,
  RETRY_MS = 2,  // a thread that exits takes its signal with it
  // Of the C library's descriptor of a thread; its place is not published.
  DESCRIPTOR_BYTES = 2304,
};

struct thread {
  atomic_int is_held;
  pid_t id, id_before;
  pthread_t self;
  int *noted_id;  // where the C library has the id
  void *robust_list;
  size_t robust_length;
  int nice;
  char name[16];
  jmp_buf place;
  char *start;  // of the stack, for the way to that place
};

static struct thread threads[THREADS_MAX];
static size_t count;
static atomic_int held;      // how many are, in this process; futex
static atomic_int releases;  // futex
static struct thread own;    // the one that holds the others

static void futex_wait(atomic_int *word, int value, int64_t ms) {
  struct timespec wait = {ms / 1000, ms % 1000 * 1000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ms < 0 ? NULL : &wait, NULL, 0);
}

static void futex_wake_all(atomic_int *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void tell(struct thread *t) {
  atomic_store(&t->is_held, 1);
  atomic_fetch_add(&held, 1);
  futex_wake_all(&held);
}

// What the kernel keeps for a thread beside its registers.
static void note(struct thread *t) {
  t->self = pthread_self();
  syscall(SYS_get_robust_list, 0, &t->robust_list, &t->robust_length);
  t->nice = getpriority(PRIO_PROCESS, 0);
  prctl(PR_GET_NAME, t->name);
}

static void register_restartable_sequences(void) {
#ifdef RSEQ_SIG
  if (__rseq_size == 0) return;
  char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
  // Of the thread that was copied: as in a new one.
  ((struct rseq *)area)->cpu_id = (uint32_t)RSEQ_CPU_ID_UNINITIALIZED;
  syscall(SYS_rseq, area, sizeof(struct rseq), 0, RSEQ_SIG);
#endif
}

static void take_back(const struct thread *t) {
  syscall(SYS_set_robust_list, t->robust_list, t->robust_length);
  register_restartable_sequences();
  prctl(PR_SET_NAME, t->name);
  if (getpriority(PRIO_PROCESS, 0) != t->nice) setpriority(PRIO_PROCESS, 0, t->nice);
}

// Where a thread that is made anew begins: below the frame that it jumps to, where only calls were
// that it does not return from.
static __attribute__((noinline)) void note_start(struct thread *t) {
  t->start = (char *)__builtin_frame_address(0);
}

// The kernel has put the registers of what was interrupted on the stack, and takes them from there
// when this returns: also when it is another thread of another process that does.
static void on_hold(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  struct thread *t = info->si_value.sival_ptr;
  int error = errno;
  int before = atomic_load(&releases);
  note_start(t);
  if (_setjmp(t->place) == 0) {
    note(t);
  } else {
    take_back(t);
  }
  tell(t);
  while (atomic_load(&releases) == before) futex_wait(&releases, before, -1);
  errno = error;
}

static struct thread *find(pid_t id) {
  for (size_t i = 0; i < count; i++) {
    if (threads[i].id == id) return &threads[i];
  }
  return NULL;
}

static bool send_hold(const struct thread *t) {
  siginfo_t info = {.si_signo = SIGNAL_HOLD, .si_code = SI_QUEUE};
  info.si_pid = getpid();
  info.si_value.sival_ptr = (void *)t;
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), t->id, SIGNAL_HOLD, &info) == 0;
}

// Of a thread that has ended the record goes; the last one takes its place. That one is held, or
// its signal carries the address of the old record: only the last may go.
static bool has_ended(const struct thread *t) {
  return syscall(SYS_tgkill, getpid(), t->id, 0) != 0 && errno == ESRCH;
}

// Entries of a folder, as the kernel gives them.
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

// The number of new threads that were sent the signal, or -1 with errno.
static int hold_new(void) {
  static char buffer[32768] __attribute__((aligned(8)));
  int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  int found = 0;
  long length;
  while ((length = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < length; at += ((struct entry *)(buffer + at))->length) {
      pid_t id = atoi(((struct entry *)(buffer + at))->name);
      if (id <= 0 || id == own.id || find(id)) continue;
      if (count == THREADS_MAX) {
        close(folder);
        errno = EAGAIN;
        return -1;
      }
      threads[count] = (struct thread){.id = id, .id_before = id};
      count++;
      if (send_hold(&threads[count - 1])) found++;
    }
  }
  close(folder);
  return length < 0 ? -1 : found;
}

static bool all_are_held(void) {
  for (size_t i = 0; i < count; i++) {
    if (!atomic_load(&threads[i].is_held) && !has_ended(&threads[i])) return false;
  }
  return true;
}

static void forget_ended(void) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    // A held one waits with the address of its record.
    if (atomic_load(&threads[i].is_held)) kept = i + 1;
  }
  count = kept;
}

// Where in the descriptor of a thread its id is. It is the same place in all.
static bool find_noted_ids(char *err, size_t errlen) {
  char *descriptor = (char *)own.self;
  for (size_t at = 0; at < DESCRIPTOR_BYTES; at += sizeof(int)) {
    if (*(int *)(descriptor + at) != own.id) continue;
    bool all = true;
    for (size_t i = 0; all && i < count; i++) {
      struct thread *t = &threads[i];
      if (!atomic_load(&t->is_held)) continue;
      t->noted_id = (int *)((char *)t->self + at);
      all = *t->noted_id == t->id;
    }
    own.noted_id = (int *)(descriptor + at);
    if (all) return true;
  }
  snprintf(err, errlen, "the C library keeps the ids of threads in an unknown place");
  return false;
}

bool threads_hold(char *err, size_t errlen) {
  struct sigaction action = {.sa_sigaction = on_hold, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(SIGNAL_HOLD, &action, NULL);
  own.id = gettid();
  note(&own);
  count = 0;
  atomic_store(&held, 0);
  int64_t deadline = monotonic_ms() + HOLD_MS;
  for (;;) {
    int found = hold_new();
    if (found == 0 && all_are_held()) break;
    if (found < 0 || monotonic_ms() > deadline) {
      snprintf(err, errlen, "the threads of the JVM cannot be held: %s",
               found < 0 ? strerror(errno) : "one does not answer");
      threads_release();
      return false;
    }
    int now = atomic_load(&held);
    if (!all_are_held()) futex_wait(&held, now, RETRY_MS);
  }
  forget_ended();
  if (find_noted_ids(err, errlen)) return true;
  threads_release();
  return false;
}

void threads_release(void) {
  // A signal that waits for its thread goes with the handler: whoever is ignored gets none.
  signal(SIGNAL_HOLD, SIG_IGN);
  signal(SIGNAL_HOLD, SIG_DFL);
  atomic_fetch_add(&releases, 1);
  futex_wake_all(&releases);
}

int *threads_own_id(void) { return own.noted_id; }

static int revived(void *data) {
  struct thread *t = data;
  _longjmp(t->place, 1);
}

int threads_revive(void) {
  const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                    CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  take_back(&own);
  int wanted = 0;
  for (size_t i = 0; i < count; i++) wanted += atomic_load(&threads[i].is_held);
  atomic_store(&held, 0);
  for (size_t i = 0; i < count; i++) {
    struct thread *t = &threads[i];
    if (!atomic_load(&t->is_held)) continue;
    if (clone(revived, t->start, flags, t, t->noted_id, (void *)t->self, t->noted_id) < 0) {
      return errno;
    }
    t->id = *t->noted_id;
  }
  int64_t deadline = monotonic_ms() + HOLD_MS;
  for (int now; (now = atomic_load(&held)) < wanted;) {
    if (monotonic_ms() > deadline) return ETIMEDOUT;
    futex_wait(&held, now, RETRY_MS);
  }
  return 0;
}

bool threads_ids(size_t i, pid_t *before, pid_t *now) {
  if (i >= count) return false;
  *before = threads[i].id_before;
  *now = threads[i].id;
  return true;
}
