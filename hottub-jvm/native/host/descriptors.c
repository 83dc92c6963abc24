// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  RESERVED_FIRST = 3,
  RESERVED_END = 256,  // what shells and daemons let through is below
  STAGING = 512,       // received descriptors wait here, out of the way of their targets
  OWN_MAX = 16384,     // as many as a class path has jars
};

static bool reserved[RESERVED_END];
// What is open at S0. Not the number alone: a thread of the VM may just read a file of the system,
// and a run get the number later.
static struct own {
  int number;
  dev_t device;
  ino_t inode;
} own[OWN_MAX];
static size_t own_count;
static int control_number = -1;
static int null_number = -1;

void descriptors_reserve(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int number = RESERVED_FIRST; null >= 0 && number < RESERVED_END; number++) {
    if (number != null && fcntl(number, F_GETFD) < 0) {
      reserved[number] = dup3(null, number, O_CLOEXEC) == number;
    }
  }
  if (null >= RESERVED_FIRST && null < RESERVED_END) {
    reserved[null] = true;
  } else if (null > STDERR_FILENO) {
    close(null);
  }
}

void descriptors_release(void) {
  for (int number = RESERVED_FIRST; number < RESERVED_END; number++) {
    if (reserved[number]) close(number);
  }
}

// Calls visit for every open descriptor but the one used for looking.
static int for_each_descriptor(void (*visit)(int number, void *data), void *data) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return -1;
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    if (entry->d_name[0] == '.') continue;
    int number = atoi(entry->d_name);
    if (number != dirfd(folder)) visit(number, data);
  }
  closedir(folder);
  return 0;
}

static void note_own(int number, void *data) {
  (void)data;
  struct stat info;
  if (own_count < OWN_MAX && fstat(number, &info) == 0) {
    own[own_count++] = (struct own){number, info.st_dev, info.st_ino};
  }
}

bool descriptors_remember(int control, char *err, size_t errlen) {
  control_number = control;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  null_number = fcntl(null, F_DUPFD_CLOEXEC, STAGING);
  close(null);
  for (int number = 0; number < 3; number++) dup2(null_number, number);
  bool known = for_each_descriptor(note_own, NULL) == 0 && own_count < OWN_MAX;
  if (!known) snprintf(err, errlen, "cannot list descriptors, or there are %d", OWN_MAX);
  return known;
}

int descriptors_place(struct start *start, char *err, size_t errlen) {
  for (size_t i = 0; i < start->target_count; i++) {
    int *fd = &start->fds[2 + i];
    int staged = fcntl(*fd, F_DUPFD_CLOEXEC, STAGING);
    if (staged < 0) {
      snprintf(err, errlen, "cannot move descriptor %d: %s", start->targets[i], strerror(errno));
      return -1;
    }
    close(*fd);
    *fd = staged;
  }
  for (size_t i = 0; i < 2; i++) {
    int staged = fcntl(start->fds[i], F_DUPFD_CLOEXEC, STAGING);
    if (staged < 0) {
      snprintf(err, errlen, "cannot move a descriptor: %s", strerror(errno));
      return -1;
    }
    close(start->fds[i]);
    start->fds[i] = staged;
  }
  bool given[3] = {false};
  for (size_t i = 0; i < start->target_count; i++) {
    int target = start->targets[i];
    if (target < 0 || target >= STAGING || (target > 2 && fcntl(target, F_GETFD) >= 0)) {
      snprintf(err, errlen, "descriptor %d of the run is in use", target);
      return -1;
    }
    if (dup2(start->fds[2 + i], target) < 0) {
      snprintf(err, errlen, "cannot place descriptor %d: %s", target, strerror(errno));
      return -1;
    }
    close(start->fds[2 + i]);
    start->fds[2 + i] = -1;
    if (target <= 2) given[target] = true;
  }
  for (int number = 0; number < 3; number++) {
    if (!given[number]) close(number);
  }
  return 0;
}

struct keep {
  const int *numbers;
  size_t count;
  bool close;
};

// The VM listens there for attaching tools (jcmd, jstack) from the first of them on. It renames the
// socket after it has bound it.
static bool is_attach_listener(int number) {
  struct sockaddr_un address = {0};
  socklen_t length = sizeof address;
  char expected[sizeof address.sun_path];
  snprintf(expected, sizeof expected, "/tmp/.java_pid%d.tmp", (int)getpid());
  return getsockname(number, (struct sockaddr *)&address, &length) == 0 &&
         address.sun_family == AF_UNIX && strncmp(address.sun_path, expected, sizeof expected) == 0;
}

static bool is_own(int number) {
  struct stat info;
  if (fstat(number, &info) != 0) return false;
  for (size_t i = 0; i < own_count; i++) {
    if (own[i].number == number) {
      return own[i].device == info.st_dev && own[i].inode == info.st_ino;
    }
  }
  return false;
}

static bool is_kept(const struct keep *keep, int number) {
  if (number == control_number || number == null_number || is_own(number)) return true;
  for (size_t i = 0; i < keep->count; i++) {
    if (keep->numbers[i] == number) return true;
  }
  return is_attach_listener(number);
}

bool descriptors_empty(int number) { return dup3(null_number, number, O_CLOEXEC) == number; }

static void give_up(int number, void *data) {
  const struct keep *keep = data;
  if (is_kept(keep, number)) return;
  if (keep->close) {
    close(number);
  } else {
    descriptors_empty(number);
  }
}

static void visit_all(struct keep keep, struct doubt *doubt) {
  if (for_each_descriptor(give_up, &keep) != 0) {
    doubt_because(doubt, DOUBT_CANNOT_LIST_DESCRIPTORS, strerror(errno));
  }
}

void descriptors_give_up(const int *kept, size_t count, struct doubt *doubt) {
  for (int number = 0; number < 3; number++) dup2(null_number, number);
  visit_all((struct keep){kept, count, false}, doubt);
}

int descriptors_lift(int number) {
  int lifted = number < STAGING ? fcntl(number, F_DUPFD_CLOEXEC, STAGING) : number;
  return lifted < 0 ? number : lifted;
}

void descriptors_free_numbers(const int *kept, size_t count, struct doubt *doubt) {
  visit_all((struct keep){kept, count, true}, doubt);
}
