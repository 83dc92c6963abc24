// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "children.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jvm.h"

// Calls visit, if there is one, for a descriptor of each; how many there are.
static int for_each(const struct keeper *k, void (*visit)(int pid_fd, pid_t pid, int number),
                    int number) {
  int count = 0;
  DIR *processes = k->jvm > 0 ? opendir("/proc") : NULL;
  if (!processes) return 0;
  for (struct dirent *entry = readdir(processes); entry; entry = readdir(processes)) {
    pid_t pid = atoi(entry->d_name);
    if (pid <= 0 || pid == k->jvm || getpgid(pid) != k->jvm) continue;
    int pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    // Once more: what is open now stays the same process.
    if (pid_fd >= 0 && getpgid(pid) == k->jvm) {
      count++;
      if (visit) visit(pid_fd, pid, number);
    }
    if (pid_fd >= 0) close(pid_fd);
  }
  closedir(processes);
  return count;
}

static void send_signal(int pid_fd, pid_t pid, int number) {
  bool stops = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
  if (stops && disposition_of(pid, number) == JVM_DEFAULT) number = SIGSTOP;
  syscall(SYS_pidfd_send_signal, pid_fd, number, NULL, 0);
}

void children_signal(const struct keeper *k, int number) { for_each(k, send_signal, number); }

bool children_are_left(const struct keeper *k) { return for_each(k, NULL, 0) > 0; }
