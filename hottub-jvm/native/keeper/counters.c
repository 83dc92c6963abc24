// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "counters.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct name {
  char text[16];
};

static struct name name_of(pid_t pid) {
  struct name name;
  snprintf(name.text, sizeof name.text, "%d", (int)pid);
  return name;
}

// The number of the file; 0: there is none.
static ino_t number_of(const struct keeper *k, const struct name *name) {
  struct stat info;
  bool found = fstatat(k->counters, name->text, &info, AT_SYMLINK_NOFOLLOW) == 0;
  return found && S_ISREG(info.st_mode) ? info.st_ino : 0;
}

void counters_are_in(struct keeper *k, const char *folder) {
  int dir = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  // As the VM has it: nobody else may write there.
  if (dir >= 0 && fstat(dir, &info) == 0 && info.st_uid == geteuid() &&
      (info.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
    k->counters = dir;
    struct name jvm = name_of(k->jvm);
    k->counters_number = number_of(k, &jvm);
  } else if (dir >= 0) {
    close(dir);
  }
}

bool counters_are_lost(const struct keeper *k) {
  struct name jvm = name_of(k->jvm);
  return k->counters >= 0 && k->counters_number != 0 && number_of(k, &jvm) != k->counters_number;
}

void counters_show(struct keeper *k) {
  if (k->counters < 0 || k->run.pid <= 0) return;  // of another pid namespace
  struct name jvm = name_of(k->jvm), client = name_of(k->run.pid);
  ino_t number = number_of(k, &jvm);
  if (number != 0 && renameat(k->counters, jvm.text, k->counters, client.text) == 0) {
    k->counters_number = number;
    k->counters_of = k->run.pid;
  }
}

void counters_hide(struct keeper *k) {
  if (k->counters_of == 0) return;
  struct name jvm = name_of(k->jvm), client = name_of(k->counters_of);
  k->counters_of = 0;
  // The client may have ended, and another JVM have its pid by now.
  if (number_of(k, &client) != k->counters_number) return;
  if (k->jvm == 0) {
    unlinkat(k->counters, client.text, 0);
  } else {
    renameat(k->counters, client.text, k->counters, jvm.text);
  }
}
