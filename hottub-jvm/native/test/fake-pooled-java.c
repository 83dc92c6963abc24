// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A test double of pooled-java: speaks the control protocol and runs, instead of Java, a handful of
// programs of its own in a child process that dies like one. Which one is told by the main class,
// the rest by the arguments:
//
//   Dump, or unknown   prints the lease: mode, main, arguments, properties, class path, directory,
//   environment Exit N             exit status N Die SIGNAL         the JVM itself dies by the
//   signal Wait               prints "waiting" and sleeps; TERM, INT and HUP end it with 128 +
//   number, as in a JVM Parent as Wait, with a child that prints the signals that it gets Stubborn
//   as Wait, but it does not answer REVOKE Cat copies descriptor 0 to 1 Descriptors        lists
//   numbers and inodes of the descriptors Fallback says FALLBACK Slow               takes the
//   token, but says ENTERED a second later Late               as Wait, but it says "token" when it
//   has taken it, and ENTERED a second later Silent neither takes the token nor answers Doubt ends
//   well, and leaves the JVM in doubt
// Before READY: -Dsun.fake.start=die ends it after a while, =slow lets it take a second. With
// -Dsun.fake.counters=FOLDER it has a file of counters there, as a JVM has.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "control.h"
#include "fdpass.h"
#include "lease.h"
#include "texts.h"

// Longer than the cases wait for anything.
enum { LONGEST_WAIT_S = 300 };

static int control;
static volatile sig_atomic_t signalled;

static void note_signal(int number) { signalled = number; }

// They come while the program waits, or not at all.
static sigset_t waiting;

static void catch_signals(uint64_t ignored) {
  static const int caught[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR2, SIGQUIT, SIGWINCH};
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
    bool keep = ignored & UINT64_C(1) << (caught[i] - 1);
    // No SA_RESTART: a signal ends the wait it comes in.
    struct sigaction action = {.sa_handler = keep ? SIG_IGN : note_signal};
    sigaction(caught[i], &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, caught[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigdelset(&waiting, caught[i]);
  }
}

static void say(enum control_type type, uint32_t value, uint64_t a, const char *text) {
  if (control_say(control, type, value, a, text) != 0) exit(9);
}

struct run {
  struct lease lease;
  int fds[CONTROL_MAX_DESCRIPTORS];
  size_t fd_count;
  const struct control_message *start;
};

static bool is_main(const struct run *run, const char *name) {
  return strcmp(run->lease.main, name) == 0;
}

static int argument(const struct run *run) {
  return run->lease.args.count ? atoi(run->lease.args.item[0]) : 0;
}

// One line each: a line end inside an item is written as \n.
static void print_list(const char *name, const struct lease_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    dprintf(1, "%s=", name);
    for (const char *c = list->item[i]; *c; c++) dprintf(1, *c == '\n' ? "\\n" : "%c", *c);
    dprintf(1, "\n");
  }
}

static void dump(const struct run *run) {
  const struct lease *lease = &run->lease;
  dprintf(1, "mode=%d\nmain=%s\ncwd=%s\n", lease->mode, lease->main, lease->cwd);
  print_list("arg", &lease->args);
  print_list("prop", &lease->props);
  print_list("entry", &lease->class_path);
  print_list("late", &lease->vm_late);
  print_list("option", &lease->arguments);
  print_list("env", &lease->env);
  dprintf(1, "umask=%03o\nnice=%d\n", lease->umask, lease->nice);
  dprintf(1, "nofile=%llu\n", (unsigned long long)lease->limits[RLIMIT_NOFILE].soft);
  dprintf(1, "ignored=%llx\n", (unsigned long long)lease->ignored_signals);
}

static void list_descriptors(const struct run *run) {
  for (uint32_t i = 0; i < run->start->value; i++) {
    uint32_t target = get_u32((const uint8_t *)run->start->text + 4 + 4 * i);
    struct stat info;
    fstat(run->fds[2 + i], &info);
    dprintf(1, "%u:%llu\n", target, (unsigned long long)info.st_ino);
  }
}

static void copy(void) {
  char data[4096];
  ssize_t length;
  while ((length = read(0, data, sizeof data)) > 0) {
    if (write(1, data, (size_t)length) != length) return;
  }
}

// As in the real one: somebody has to watch before there is a child. It lives on, unless TERM or a
// signal that cannot be caught ends it.
static void start_child(void) {
  struct control_message message;
  size_t none = 0;
  say(CONTROL_CHILDREN, 0, 0, NULL);
  if (control_receive(control, &message, NULL, &none) != 1 || message.type != CONTROL_CHILDREN) {
    exit(9);
  }
  pid_t child = fork();
  if (child != 0) {
    dprintf(1, "child is %d\n", (int)child);
    return;
  }
  close(control);
  for (;;) {
    sigsuspend(&waiting);
    dprintf(1, "child got %d\n", (int)signalled);
    if (signalled == SIGTERM) _exit(0);
  }
}

// Until a signal or a REVOKE comes: the exit status.
static uint32_t wait_for_end(const struct run *run) {
  if (is_main(run, "Parent")) start_child();
  dprintf(1, "waiting\n");
  for (;;) {
    struct pollfd entry = {.fd = is_main(run, "Stubborn") ? -1 : control, .events = POLLIN};
    struct timespec longest = {.tv_sec = LONGEST_WAIT_S};
    int ready = ppoll(&entry, 1, &longest, &waiting);
    if (ready < 0 && errno == EINTR) {
      dprintf(1, "signal %d\n", (int)signalled);
      if (signalled == SIGUSR2 || signalled == SIGQUIT || signalled == SIGWINCH) continue;
      return 128 + (uint32_t)signalled;
    }
    if (ready > 0) {
      struct control_message message;
      size_t none = 0;
      if (control_receive(control, &message, NULL, &none) != 1) exit(9);
      if (message.type == CONTROL_REVOKE) return 0;
    }
    if (ready == 0) exit(9);
  }
}

static uint32_t execute(const struct run *run) {
  if (is_main(run, "Exit") || is_main(run, "Doubt") || is_main(run, "Stuck")) {
    return (uint32_t)argument(run);
  }
  if (is_main(run, "Die")) {
    signal(argument(run), SIG_DFL);
    kill(getpid(), argument(run));
    sigsuspend(&waiting);
  }
  if (is_main(run, "Wait") || is_main(run, "Late") || is_main(run, "Parent") ||
      is_main(run, "Stubborn")) {
    return wait_for_end(run);
  }
  if (is_main(run, "Cat")) {
    copy();
  } else if (is_main(run, "Descriptors")) {
    list_descriptors(run);
  } else {
    dump(run);
  }
  return 0;
}

static void use_standard_descriptors(const struct run *run, int saved[3]) {
  for (int i = 0; i < 3; i++) saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 100);
  for (uint32_t i = 0; i < run->start->value; i++) {
    uint32_t target = get_u32((const uint8_t *)run->start->text + 4 + 4 * i);
    if (target <= 2) dup2(run->fds[2 + i], (int)target);
  }
}

static void restore_standard_descriptors(int saved[3]) {
  for (int i = 0; i < 3; i++) {
    dup2(saved[i], i);
    close(saved[i]);
  }
}

static bool take_token(const struct run *run) {
  uint64_t one;
  return read(run->fds[1], &one, sizeof one) == (ssize_t)sizeof one;
}

static void lead(struct run *run) {
  char err[128];
  if (lease_read(run->fds[0], run->start->a, &run->lease, err, sizeof err) != 0) {
    say(CONTROL_FALLBACK, 0, 0, err);
    return;
  }
  if (is_main(run, "Silent")) sigsuspend(&waiting);
  if (is_main(run, "Fallback") || !take_token(run)) {
    say(CONTROL_FALLBACK, 0, 0, "told to");
    return;
  }
  int saved[3];
  use_standard_descriptors(run, saved);
  if (is_main(run, "Late")) dprintf(1, "token\n");
  if (is_main(run, "Slow") || is_main(run, "Late")) sleep(1);
  catch_signals(run->lease.ignored_signals);
  if (write(2, run->lease.notice, run->lease.notice_length) < 0) exit(9);
  say(CONTROL_ENTERED, 0, 0, NULL);
  uint32_t status = execute(run);
  say(CONTROL_ENDING, status, 0, NULL);
  if (is_main(run, "Stuck")) sigsuspend(&waiting);
  if (is_main(run, "Exiting")) {
    say(CONTROL_EXITING, 0, 0, NULL);
    sleep(3);
    _exit(7);
  }
  restore_standard_descriptors(saved);
  fdpass_close(run->fds, run->fd_count);
  say(CONTROL_ENDED, status, 0, NULL);
}

static void make_counters(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
  close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

#define COUNTERS "-Dsun.fake.counters="

int main(int argc, char **argv) {
  if (argc < 4) return 100;
  control = atoi(argv[1]);
  size_t count;
  char **options = texts_read(atoi(argv[2]), &count);
  if (!options) return 111;
  dprintf(2, "fake JVM with %zu options\n", count);
  const char *counters = NULL;
  for (char **option = options; *option; option++) {
    if (strcmp(*option, "-Dsun.fake.start=die") == 0) {
      usleep(200000);
      return 1;
    }
    if (strcmp(*option, "-Dsun.fake.start=slow") == 0) sleep(1);
    if (strncmp(*option, COUNTERS, strlen(COUNTERS)) == 0) counters = *option + strlen(COUNTERS);
  }
  if (counters) make_counters(counters);
  sigprocmask(SIG_SETMASK, NULL, &waiting);
  catch_signals(0);
  say(CONTROL_READY, 0, 0, counters);
  for (;;) {
    struct control_message message;
    struct run run = {.fd_count = CONTROL_MAX_DESCRIPTORS, .start = &message};
    int got = control_receive(control, &message, run.fds, &run.fd_count);
    if (got < 0 && errno == EINTR) continue;
    if (got != 1 || message.type == CONTROL_RETIRE) return 0;
    if (message.type == CONTROL_AUDIT) say(CONTROL_AUDITED, 0, 0, "{\"clean\":true}");
    if (message.type != CONTROL_START) continue;
    lead(&run);
    fdpass_close(run.fds, run.fd_count);
    bool doubt = run.lease.main && is_main(&run, "Doubt");
    lease_free(&run.lease);
    signalled = 0;
    catch_signals(UINT64_MAX);  // forgets those that have come too late
    catch_signals(0);
    if (doubt) {
      say(CONTROL_DOUBT, sizeof "some.Left" - 1, 0, "some.Left: told to");
    } else {
      say(CONTROL_CLEAN, 0, 123, "{}");
    }
  }
}
