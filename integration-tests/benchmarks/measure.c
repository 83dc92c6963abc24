// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// measure [--pool DIR] COMMAND...
//
// Runs a command and writes two numbers to descriptor 3: its wall time and its CPU time in
// microseconds. With --pool, the CPU time also has what the keepers and JVMs of that pool have used
// since the command was started, until all are idle and have come to rest: the reset, the audit and
// what is compiled in the background count. Exit status: that of the command; 125 if it could not
// be measured. The clocks have nanoseconds and count threads that have ended.

#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MAX_PROCESSES = 64, STATUS_FAILED = 125 };

static const long REST_NS = 50000000, QUIET_US = 300, LONGEST_RESTS = 400;

static void fail(const char *what) {
  fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
  exit(STATUS_FAILED);
}

static long us(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static long us_of_process(pid_t pid) {
  clockid_t clock;
  return clock_getcpuclockid(pid, &clock) == 0 ? us(clock) : 0;
}

// Of its children that have ended: of clones and their keepers, in the keeper of the template.
static long us_of_ended_children(pid_t keeper) {
  char path[64];
  unsigned long user = 0, system = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", keeper);
  FILE *stat = fopen(path, "re");
  if (!stat) return 0;
  if (fscanf(stat, "%*d (keeper) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
             &user, &system) != 2) {
    user = system = 0;
  }
  fclose(stat);
  return (long)(user + system) * (1000000 / sysconf(_SC_CLK_TCK));
}

// The keepers of clones have sockets of their own.
static int is_keeper(pid_t pid) {
  char path[64], name[16] = "";
  snprintf(path, sizeof path, "/proc/%d/comm", pid);
  FILE *comm = fopen(path, "re");
  if (!comm) return 0;
  if (!fgets(name, sizeof name, comm)) name[0] = '\0';
  fclose(comm);
  return strcmp(name, "keeper\n") == 0;
}

static pid_t keeper_of(const char *socket) { return atoi(strrchr(socket, '-') + 1); }

// Whether it is the socket of a template, which is at rest for good.
static int is_template(const char *socket) {
  char path[4096], keeper[16] = "";
  snprintf(path, sizeof path, "%.*s/template", (int)(strrchr(socket, '/') - socket), socket);
  return readlink(path, keeper, sizeof keeper - 1) > 0 && atoi(keeper) == keeper_of(socket);
}

// The socket's name ends with the pid of the keeper. One of its children is the JVM.
static long us_of_keeper(const char *socket) {
  pid_t keeper = keeper_of(socket), jvm;
  long sum = us_of_process(keeper) + us_of_ended_children(keeper);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", keeper, keeper);
  FILE *children = fopen(path, "re");
  if (!children) return sum;
  while (fscanf(children, "%d", &jvm) == 1) {
    if (!is_keeper(jvm)) sum += us_of_process(jvm);
  }
  fclose(children);
  return sum;
}

// CPU time of all keepers and JVMs so far. busy: whether one of them is not idle.
static long us_of_pool(const char *pool, int *busy) {
  char pattern[4096];
  long sum = 0;
  *busy = 0;
  // In this order: one that becomes idle meanwhile is seen, perhaps twice.
  for (const char *state = "bi"; *state; state++) {
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/*/%c-*", pool, *state);
    if (glob(pattern, 0, NULL, &found) == 0) {
      for (size_t i = 0; i < found.gl_pathc; i++) {
        sum += us_of_keeper(found.gl_pathv[i]);
        if (*state == 'b' && !is_template(found.gl_pathv[i])) *busy = 1;
      }
      globfree(&found);
    }
  }
  return sum;
}

static long us_of_pool_at_rest(const char *pool) {
  int busy;
  long last = -QUIET_US, now = us_of_pool(pool, &busy);
  // Less than before: one was missed, or has ended.
  for (long rests = 0; busy || now < last || now - last >= QUIET_US; rests++) {
    if (rests == LONGEST_RESTS) {
      errno = ETIMEDOUT;
      fail("waiting for the pool to come to rest");
    }
    struct timespec rest = {0, REST_NS};
    nanosleep(&rest, NULL);
    last = now;
    now = us_of_pool(pool, &busy);
  }
  return now;
}

int main(int argc, char **argv) {
  const char *pool = NULL;
  argv++;
  if (argc > 2 && strcmp(argv[0], "--pool") == 0) {
    pool = argv[1];
    argv += 2;
  }
  if (!argv[0]) {
    errno = EINVAL;
    fail("usage: measure [--pool DIR] COMMAND...");
  }
  long pool_before = pool ? us_of_pool_at_rest(pool) : 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, 3);
  pid_t child;
  long begin = us(CLOCK_MONOTONIC);
  errno = posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
  if (errno != 0) fail(argv[0]);
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) fail("wait4");
  long wall = us(CLOCK_MONOTONIC) - begin;
  long cpu = usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec +
             usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
  if (pool) cpu += us_of_pool_at_rest(pool) - pool_before;
  dprintf(3, "%ld\t%ld\n", wall, cpu);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
