// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cold.h"
#include "signals.h"
#include "texts.h"

static char **arguments(const struct spawn *spawn, int connection, int options) {
  static const char *const kinds[] = {
      [ISOLATION_REUSE] = "reuse", [ISOLATION_CLONE] = "template", [ISOLATION_STRICT] = "strict"};
  const char *numbers[4];
  int fds[4] = {connection, spawn->lock, spawn->user_dir, options};
  for (int i = 0; i < 4; i++) {
    char text[16];
    snprintf(text, sizeof text, "%d", fds[i]);
    numbers[i] = copy_text(text);
  }
  struct list argv = {0};
  list_add(&argv, join_text(cold_home(), "/lib/hottub/keeper"));
  for (int i = 0; i < 3; i++) list_add(&argv, (char *)numbers[i]);
  list_add(&argv, (char *)spawn->fingerprint);
  list_add(&argv, (char *)cold_home());
  list_add(&argv, (char *)kinds[spawn->isolation]);
  list_add(&argv, (char *)numbers[3]);
  return argv.item;
}

// In the new process: nothing of the run's inheritance may live on in a keeper.
static _Noreturn void become_keeper(const struct spawn *spawn, int connection, int options,
                                    char **argv, char **environment) {
  signals_reset();
  for (size_t i = 0; i < spawn->inheritance->descriptor_count; i++) {
    if (spawn->inheritance->descriptors[i] > 2) close(spawn->inheritance->descriptors[i]);
  }
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) _exit(111);
  for (int fd = 0; fd <= 2; fd++) {
    if (dup2(null, fd) < 0) _exit(111);
  }
  fcntl(connection, F_SETFD, 0);
  fcntl(spawn->lock, F_SETFD, 0);
  fcntl(spawn->user_dir, F_SETFD, 0);
  fcntl(options, F_SETFD, 0);
  execve(argv[0], argv, environment);
  _exit(127);
}

// Where the caller ignores SIGCHLD, the kernel keeps no status of a child. Whether there is a
// keeper shows at the connection then, which ends without one.
static bool may_have_started(pid_t helper) {
  int status = 1;
  pid_t ended;
  do {
    ended = waitpid(helper, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == helper ? status == 0 : errno == ECHILD;
}

bool spawn_keeper(const struct spawn *spawn, int connection) {
  static char *no_environment[] = {NULL};
  int options = texts_write(spawn->options->item, spawn->options->count);
  if (options < 0) {
    close(connection);
    return false;
  }
  char **argv = arguments(spawn, connection, options);
  char **environment = spawn->environment->count ? spawn->environment->item : no_environment;
  pid_t helper = fork();
  if (helper == 0) {
    // A second fork makes the keeper an orphan, which is not ours to reap.
    setsid();
    pid_t keeper = fork();
    if (keeper == 0) become_keeper(spawn, connection, options, argv, environment);
    _exit(keeper < 0);
  }
  close(connection);
  close(options);
  return helper > 0 && may_have_started(helper);
}
