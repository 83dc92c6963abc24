// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "template.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "copy.h"
#include "home.h"
#include "threads.h"

enum {
  EXIT_SYSTEM = 111,
  FILES_MAX = 16384,
  SHARED_MAX = 4,
  SHARED_BYTES = 1024 * 1024,
  // /dev/null, zero, random, urandom: major number of the kernel's memory devices.
  MEMORY_DEVICES = 1,
  STAGING = 512,  // above the numbers that programs give their descriptors
};

// Regular files: a copy has to open them anew, for two processes with one descriptor have one
// position in it.
static struct file { int number, flags, descriptor_flags; } files[FILES_MAX];
static size_t file_count;

// Memory that is shared through a file: the counters that jps and jstat read.
static struct {
  char *begin;
  size_t length;
} shared[SHARED_MAX];
static size_t shared_count;

static int control_number;
static char keeper[4096], home[4096];

static bool refuse(char *err, size_t errlen, const char *what, const char *detail) {
  snprintf(err, errlen, "%s%s%s", what, detail[0] ? ": " : "", detail);
  return false;
}

static bool note_descriptor(int number, char *err, size_t errlen) {
  struct stat info;
  if (number == control_number || fstat(number, &info) != 0) return true;
  if (S_ISCHR(info.st_mode) && major(info.st_rdev) == MEMORY_DEVICES) return true;
  if (!S_ISREG(info.st_mode)) {
    char path[64], target[256], detail[300];
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    snprintf(detail, sizeof detail, "%d, %s", number, target);
    return refuse(err, errlen, "a copy would share a descriptor", detail);
  }
  if (file_count == FILES_MAX) return refuse(err, errlen, "too many open files", "");
  files[file_count++] = (struct file){number, fcntl(number, F_GETFL), fcntl(number, F_GETFD)};
  return true;
}

static bool contains(const int *numbers, size_t count, int number) {
  for (size_t i = 0; i < count; i++) {
    if (numbers[i] == number) return true;
  }
  return false;
}

static bool note_descriptors(const int *passing, size_t passing_count, char *err, size_t errlen) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return refuse(err, errlen, "cannot list descriptors", strerror(errno));
  bool ok = true;
  file_count = 0;
  for (struct dirent *entry; ok && (entry = readdir(folder));) {
    int number = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != dirfd(folder) &&
        !contains(passing, passing_count, number)) {
      ok = note_descriptor(number, err, errlen);
    }
  }
  closedir(folder);
  return ok;
}

static bool note_mapping(const char *line, char *err, size_t errlen) {
  unsigned long begin, end;
  char access[5];
  int path = 0;
  if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &begin, &end, access, &path) < 3) return true;
  // What nobody writes, as the image of the class library, may be shared.
  if (access[3] != 's' || access[1] != 'w') return true;
  const char *name = line + path;
  if (!strstr(name, "/hsperfdata_") || end - begin > SHARED_BYTES || shared_count == SHARED_MAX) {
    return refuse(err, errlen, "a copy would share memory", name);
  }
  shared[shared_count].begin = (char *)begin;
  shared[shared_count++].length = end - begin;
  return true;
}

static bool note_mappings(char *err, size_t errlen) {
  FILE *list = fopen("/proc/self/maps", "re");
  if (!list) return refuse(err, errlen, "cannot list mappings", strerror(errno));
  bool ok = true;
  char *line = NULL;
  size_t size = 0;
  shared_count = 0;
  while (ok && getline(&line, &size, list) > 0) {
    line[strcspn(line, "\n")] = '\0';
    ok = note_mapping(line, err, errlen);
  }
  free(line);
  fclose(list);
  return ok;
}

// A copy would not have them.
static bool has_no_timers(char *err, size_t errlen) {
  int list = open("/proc/self/timers", O_RDONLY | O_CLOEXEC);
  char byte;
  ssize_t length = list < 0 ? 0 : read(list, &byte, 1);
  if (list >= 0) close(list);
  return length <= 0 || refuse(err, errlen, "the JVM has a timer", "");
}

bool template_freeze(int control, const int *passing, size_t passing_count, char *err,
                     size_t errlen) {
  control_number = control;
  if (home_path(keeper, sizeof keeper, "lib/hottub/keeper") != 0 ||
      home_path(home, sizeof home, ".") != 0) {
    return refuse(err, errlen, "no such path", "lib/hottub/keeper");
  }
  home[strlen(home) - 2] = '\0';  // "/."
  return note_descriptors(passing, passing_count, err, errlen) && note_mappings(err, errlen) &&
         has_no_timers(err, errlen) && threads_hold(err, errlen);
}

// ---- in the clone, while its threads are held

static bool reopen(const struct file *file) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file->number);
  int fd = open(path, (file->flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
  if (fd < 0) return false;
  off_t position = lseek(file->number, 0, SEEK_CUR);
  bool ok = (position < 0 || lseek(fd, position, SEEK_SET) == position) &&
            dup3(fd, file->number, file->descriptor_flags & FD_CLOEXEC ? O_CLOEXEC : 0) >= 0;
  close(fd);
  return ok;
}

// What is in it stays; the file is the template's.
static bool unshare_mapping(char *begin, size_t length) {
  static char content[SHARED_BYTES];
  memcpy(content, begin, length);
  if (mmap(begin, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
      begin) {
    return false;
  }
  memcpy(begin, content, length);
  return true;
}

static bool become_own_process(int control) {
  if (dup3(control, control_number, O_CLOEXEC) < 0) return false;
  for (size_t i = 0; i < file_count; i++) {
    if (!reopen(&files[i])) return false;
  }
  for (size_t i = 0; i < shared_count; i++) {
    if (!unshare_mapping(shared[i].begin, shared[i].length)) return false;
  }
  return threads_revive() == 0;
}

// ----

int template_clone(const char *fingerprint, uint32_t generation, int user_dir, int connection,
                   char *err, size_t errlen) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    refuse(err, errlen, "no socket", strerrordesc_np(errno));
    return -1;
  }
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  char pid[12], number[12], generation_text[12];
  snprintf(generation_text, sizeof generation_text, "%u", generation);
  snprintf(number, sizeof number, "%d", control_number);
  // The numbers are those of COPY_FIRST_FD and following.
  char *const arguments[] = {keeper,
                             connection < 0 ? "-" : "5",
                             "-",
                             "3",
                             (char *)fingerprint,
                             home,
                             "clone",
                             pid,
                             "4",
                             number,
                             generation_text,
                             NULL};
  struct copy_plan plan = {.program = keeper,
                           .arguments = arguments,
                           .pid_text = pid,
                           .fds = {user_dir, pair[0], connection},
                           .fd_count = connection < 0 ? 2 : 3,
                           .noted_id = threads_own_id()};
  int result = copy_make(&plan);
  if (result == 0 && !become_own_process(pair[1])) _exit(EXIT_SYSTEM);
  if (result < 0) refuse(err, errlen, "no copy", strerrordesc_np(errno));
  close(pair[0]);
  close(pair[1]);
  return result;
}

void template_thaw(void) { threads_release(); }
