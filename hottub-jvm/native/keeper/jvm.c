// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "jvm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "deadline.h"
#include "endpoint.h"
#include "jvm-command.h"
#include "log.h"
#include "signals.h"

// The highest number that the control socket may get. A descriptor table is as long as its highest
// number, so this must not be the limit itself, which may be a million.
#define CONTROL_NUMBER_MAX 65535

// A number above every one that an application is likely to inherit; a run that does use it is
// refused and runs cold.
static int control_number(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  rlim_t number = limit.rlim_cur - 1;
  return number > CONTROL_NUMBER_MAX ? CONTROL_NUMBER_MAX : (int)number;
}

// What a run leaves in freed memory is overwritten, and the stacks of its threads are given back:
// the C library fills what is freed (with this byte), but not what it keeps in caches.
#define TUNABLES \
  "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0:glibc.pthread.stack_cache_size=0"

// In the child. Returns only if the JVM cannot be started.
static void become_jvm(struct keeper *k, pid_t keeper, int control, int output, char **argv) {
  signals_reset();
  setsid();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) return;
  if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) return;
  if (dup3(control, k->control_number, 0) < 0 || fcntl(k->options, F_SETFD, 0) != 0) return;
  // Everything else of ours is close-on-exec.
  if (setenv("GLIBC_TUNABLES", TUNABLES, 1) != 0) return;
  execv(argv[0], argv);
  dprintf(STDERR_FILENO, "cannot execute %s: %s\n", argv[0], strerror(errno));
}

int jvm_start(struct keeper *k) {
  int pair[2], output[2];
  k->control_number = control_number();
  char **argv = jvm_command(k);
  if (!argv || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0 ||
      pipe2(output, O_CLOEXEC) != 0) {
    log_line(k, "cannot prepare the start of the JVM of %s: %s", k->home, strerror(errno));
    free(argv);
    return -1;
  }
  // The JVM waits in its end of the pair.
  fcntl(pair[1], F_SETFL, 0);
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  pid_t keeper = getpid();
  k->jvm = fork();
  if (k->jvm == 0) {
    become_jvm(k, keeper, pair[1], output[1], argv);
    _exit(127);
  }
  free(argv);
  close(pair[1]);
  close(output[1]);
  close(k->options);
  k->control = pair[0];
  k->output = output[0];
  if (k->jvm < 0) {
    log_line(k, "cannot fork for the JVM of %s: %s", k->home, strerror(errno));
    return -1;
  }
  return 0;
}

void jvm_adopt(struct keeper *k, pid_t jvm, int control, int control_number, uint32_t generation) {
  k->jvm = jvm;
  k->control = control;
  k->control_number = control_number;
  k->generation = generation;
  k->is_clone = generation == 0;
  k->may_freeze = !k->is_clone;
  k->compilations_last = -1;
  k->parent = getppid();
}

void jvm_kill(struct keeper *k, const char *why) {
  log_line(k, "killing JVM %d: %s", (int)k->jvm, why);
  jvm_signal(k, SIGKILL);
}

void jvm_signal(struct keeper *k, int number) {
  // Its pid is ours until we reap it, so this can never hit another process.
  if (k->jvm > 0) kill(k->jvm, number);
}

void jvm_say(struct keeper *k, enum control_type type, const char *text) {
  if (control_say(k->control, type, 0, 0, text) != 0) {
    jvm_kill(k, "its control socket takes no message");
  }
}

int jvm_send_run(struct keeper *k) {
  struct control_message start = {.type = CONTROL_START,
                                  .value = k->run.target_count,
                                  .a = k->run.block_length,
                                  .b = k->runs,
                                  .text_length = 4 + 4 * k->run.target_count};
  put_u32((uint8_t *)start.text, (uint32_t)k->run.pid);
  memcpy(start.text + 4, k->run.targets, 4 * k->run.target_count);
  return control_send(k->control, &start, k->run.fds, k->run.fd_count);
}

bool jvm_receive(struct keeper *k, struct control_message *message) {
  size_t no_descriptors = 0;
  int got = control_receive(k->control, message, NULL, &no_descriptors);
  if (got > 0) return true;
  if (got < 0 && errno == EAGAIN) return false;
  jvm_hang_up(k, got != 0);
  return false;
}

void jvm_hang_up(struct keeper *k, bool malformed) {
  // The end of the socket is followed by the end of the process, or by ours of it.
  close(k->control);
  k->control = -1;
  if (malformed) {
    jvm_kill(k, "it sent a malformed message");
  } else if (k->deadline == DEADLINE_NONE && k->state != LEASED && k->state != EXITING) {
    // But native code of a run may have closed all descriptors: then its end is that of the JVM.
    k->deadline = monotonic_ms() + FRAME_DEADLINE_MS;
  }
}

void jvm_output_readable(struct keeper *k) {
  char data[4096];
  ssize_t length = read(k->output, data, sizeof data);
  if (length > 0) {
    log_raw(k, data, (size_t)length);
    k->log_is_of_note = true;
  } else if (length == 0 || errno != EAGAIN) {
    close(k->output);
    k->output = -1;
  }
}

// A child that has ended, and keeps its number until it is reaped; 0: none.
static pid_t ended_child(void) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

static int64_t microseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

pid_t jvm_reap(struct keeper *k, int *status) {
  pid_t pid, jvm = 0;
  int of_pid;
  while ((pid = ended_child()) > 0) {
    // The others are keepers of clones; one that was killed has cleared up nothing.
    if (pid != k->jvm) endpoint_clear_up(k, pid);
    struct rusage used = {0};
    wait4(pid, &of_pid, 0, &used);
    if (pid != k->jvm) {
      k->lost_clone |= WIFEXITED(of_pid) && WEXITSTATUS(of_pid) >= KEEPER_NO_JVM;
      continue;
    }
    jvm = pid;
    *status = of_pid;
    k->jvm_cpu_us = microseconds(used.ru_utime) + microseconds(used.ru_stime);
    k->jvm = 0;  // from here on the number may belong to another process
  }
  return jvm;
}

enum jvm_disposition jvm_disposition(const struct keeper *k, int number) {
  return disposition_of(k->jvm, number);
}

enum jvm_disposition disposition_of(pid_t process, int number) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/status", (int)process);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return JVM_DEFAULT;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return JVM_DEFAULT;
  text[length] = '\0';
  unsigned long long bit = 1ull << (number - 1), caught = 0, ignored = 0;
  const char *line = strstr(text, "\nSigCgt:");
  if (line) sscanf(line, "\nSigCgt: %llx", &caught);
  line = strstr(text, "\nSigIgn:");
  if (line) sscanf(line, "\nSigIgn: %llx", &ignored);
  if (caught & bit) return JVM_CATCHES;
  return ignored & bit ? JVM_IGNORES : JVM_DEFAULT;
}
