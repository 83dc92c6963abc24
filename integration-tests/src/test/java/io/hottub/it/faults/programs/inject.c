// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Lets a process run up to one of its system calls, and then does something to it.
//
//   inject REPORT PLACE ACTION -- PROGRAM ARGUMENT...   a program from its start
//   inject REPORT PLACE ACTION -p THREAD                a thread of a running process, from now on
//
// PLACE: number of the system call, counted from 1; 0 only counts. ACTION: kill (SIGKILL to the
// process), stop:MS (SIGSTOP, and SIGCONT so much later), clock:SECONDS (its wall clock goes ahead
// by so much, or behind) or error:ERRNO (the call fails; only calls that can fail in this way are
// counted, and none of the dynamic loader). Nothing is counted once the program has become another
// one. The file REPORT gets the lines "following" and "NUMBER done|missed". x86-64 only.
//
// Ends as the program does; of a thread, with 0 when there is nothing more to do, or at SIGTERM.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

enum action { KILL, STOP, JUMP, FAIL };

static const char *report;
static long place, seen;
static enum action action;
static int argument;  // milliseconds, seconds or errno
static bool loaded, done, failing;

static _Noreturn void die(const char *what) {
  perror(what);
  exit(111);
}

static void tell(const char *format, long number, const char *text) {
  FILE *file = fopen(report, "a");
  if (!file) die(report);
  fprintf(file, format, number, text);
  fclose(file);
}

static pid_t process_of(pid_t thread) {
  char path[64], line[256];
  int process = thread;
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Tgid: %d", &process) == 1) break;
  }
  if (file) fclose(file);
  return process;
}

static bool has_loader(pid_t process) {
  char path[64];
  unsigned long entry[2] = {AT_NULL, 0};
  snprintf(path, sizeof path, "/proc/%d/auxv", process);
  FILE *file = fopen(path, "r");
  while (file && fread(entry, sizeof entry, 1, file) == 1 && entry[0] != AT_BASE) continue;
  if (file) fclose(file);
  return entry[0] == AT_BASE && entry[1] != 0;
}

static bool is_regular_file(pid_t thread, int fd) {
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", thread, fd);
  ssize_t length = readlink(path, target, sizeof target - 1);
  return length > 0 && target[0] == '/' && strncmp(target, "/dev/", 5) != 0;
}

static bool can_fail(pid_t thread, const struct __ptrace_syscall_info *call) {
  long number = (long)call->entry.nr;
  // The dynamic loader is done when it unmaps its cache.
  if (number == SYS_munmap) loaded = true;
  if (!loaded) return false;
  switch (argument) {
    case EMFILE:
      return number == SYS_openat || number == SYS_socket || number == SYS_accept4 ||
             number == SYS_eventfd2 || number == SYS_signalfd4 || number == SYS_memfd_create ||
             number == SYS_pipe2 || number == SYS_socketpair || number == SYS_dup;
    case ENOSPC:
      return ((number == SYS_write || number == SYS_pwrite64 || number == SYS_ftruncate) &&
              is_regular_file(thread, (int)call->entry.args[0])) ||
             number == SYS_mkdirat || number == SYS_renameat || number == SYS_rename ||
             (number == SYS_openat && (call->entry.args[2] & O_CREAT));
    case ENOMEM:
      return number == SYS_mmap || number == SYS_mremap || number == SYS_memfd_create;
    case EAGAIN:
      return number == SYS_clone || number == SYS_clone3 || number == SYS_fork ||
             number == SYS_vfork;
    default:
      return false;
  }
}

static void set_register(pid_t thread, size_t at, long value) {
  if (ptrace(PTRACE_POKEUSER, thread, at, value) != 0) die("set a register");
}

// True: there is nothing more to follow.
static bool at_system_call(pid_t thread) {
  struct __ptrace_syscall_info call;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call) <= 0) return false;
  if (call.op == PTRACE_SYSCALL_INFO_EXIT && failing) {
    set_register(thread, offsetof(struct user, regs.rax), -argument);
    return true;
  }
  if (call.op != PTRACE_SYSCALL_INFO_ENTRY || (action == FAIL && !can_fail(thread, &call))) {
    return false;
  }
  if (++seen != place) return false;
  done = true;
  pid_t process = process_of(thread);
  switch (action) {
    case FAIL:
      set_register(thread, offsetof(struct user, regs.orig_rax), -1);
      failing = true;
      return false;
    case KILL:
      kill(process, SIGKILL);
      return true;
    case STOP:
      kill(process, SIGSTOP);
      ptrace(PTRACE_DETACH, thread, 0, 0);
      usleep((useconds_t)argument * 1000);
      kill(process, SIGCONT);
      return true;
    case JUMP:
      clock_jump(process, thread, argument);
      return true;
  }
  return false;
}

// Ends the wait.
static void on_term(int number) { (void)number; }

// Returns the wait status of a child that has ended, else -1.
static int follow(pid_t thread, bool from_start) {
  int status, programs = from_start ? 0 : 1;
  for (;;) {
    if (waitpid(thread, &status, __WALL) != thread) return -1;
    if (WIFEXITED(status) || WIFSIGNALED(status)) return status;
    int pass_on = 0;
    bool finished = false;
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
      finished = ++programs > 1;
      loaded = !has_loader(thread);
    } else if (status >> 16 == PTRACE_EVENT_STOP) {
      if (WSTOPSIG(status) != SIGTRAP) {
        ptrace(PTRACE_LISTEN, thread, 0, 0);
        continue;
      }
    } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
      finished = programs == 1 && at_system_call(thread);
    } else {
      pass_on = WSTOPSIG(status);
    }
    if (finished) {
      ptrace(PTRACE_DETACH, thread, 0, 0);
      if (!from_start) return -1;
      // Its end is all that is left to wait for.
      if (waitpid(thread, &status, 0) != thread) return -1;
      return status;
    }
    ptrace(PTRACE_SYSCALL, thread, 0, pass_on);
  }
}

static void seize(pid_t thread) {
  if (ptrace(PTRACE_SEIZE, thread, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC) != 0 ||
      ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) {
    die("follow the thread");
  }
  tell("following%.0ld%s\n", 0, "");
}

static int run(char **command) {
  int gate[2];
  char byte = 0;
  if (pipe2(gate, O_CLOEXEC) != 0) die("pipe");
  pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    if (read(gate[0], &byte, 1) == 1) execv(command[0], command);
    _exit(127);
  }
  seize(child);
  if (write(gate[1], &byte, 1) != 1) die("start the program");
  return follow(child, true);
}

static _Noreturn void end_as(int status) {
  if (WIFSIGNALED(status)) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  exit(WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  bool from_start = argc > 5 && strcmp(argv[4], "--") == 0;
  if (argc < 6 || (!from_start && strcmp(argv[4], "-p") != 0)) {
    fprintf(stderr,
            "usage: inject REPORT PLACE kill|stop:MS|clock:SECONDS|error:ERRNO -- PROGRAM... | "
            "-p THREAD\n");
    return 100;
  }
  report = argv[1];
  place = atol(argv[2]);
  if (sscanf(argv[3], "stop:%d", &argument) == 1) {
    action = STOP;
  } else if (sscanf(argv[3], "clock:%d", &argument) == 1) {
    action = JUMP;
  } else if (sscanf(argv[3], "error:%d", &argument) == 1) {
    action = FAIL;
  }
  int status;
  if (from_start) {
    status = run(argv + 5);
  } else {
    struct sigaction term = {.sa_handler = on_term};
    sigaction(SIGTERM, &term, NULL);
    loaded = true;
    seize(atoi(argv[5]));
    status = follow(atoi(argv[5]), false);
  }
  tell("%ld %s\n", seen, done ? "done" : "missed");
  if (from_start && status >= 0) end_as(status);
  return 0;
}
