// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "process-files.h"

// Programs measure themselves by /proc/PID: tasks of MapReduce and Tez take their processor time
// and memory from there, for the pid that YARN's script has told them, and look for their children.
// Others learn their pid from /proc/self. The run's process is the client, and the JVM does its
// work: so files that tell what a process uses and holds are those of this JVM under either name,
// and those of what the caller has made of it (command line, environment) the client's. proc(5) has
// the files, and the fields of "stat" and "status".
//
// The class library's calls come through here: the program's own functions go before those of the
// C library. It asks about processes itself by fopen, which is not among them (identity.c).

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "identity.h"

#define EXPORTED __attribute__((visibility("default")))

#define NEXT(function)               \
  static __typeof__(&function) next; \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, #function)

enum { MAX_TEXT = 8192, MAX_FIELDS = 64 };

static struct rusage used_before, used_by_children_before;

void process_files_begin(void) {
  getrusage(RUSAGE_SELF, &used_before);
  getrusage(RUSAGE_CHILDREN, &used_by_children_before);
}

// What follows the process in a path of /proc; NULL if it is none, or nothing follows.
static const char *after_process(const char *path, pid_t *process) {
  if (strncmp(path, "/proc/", 6) != 0) return NULL;
  path += 6;
  char *end = (char *)path + 4;
  if (strncmp(path, "self", 4) == 0) {
    *process = identity_process();
  } else {
    if (*path < '1' || *path > '9') return NULL;
    *process = (pid_t)strtol(path, &end, 10);
  }
  return *end == '/' && end[1] ? end + 1 : NULL;
}

static bool is_in(const char *const names[], const char *name) {
  const size_t length = strcspn(name, "/");
  for (size_t i = 0; names[i]; i++) {
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return true;
  }
  return false;
}

static const char *const of_jvm[] = {
    "fd",    "fdinfo",       "io",   "map_files", "maps",   "numa_maps", "sched", "schedstat",
    "smaps", "smaps_rollup", "stat", "statm",     "status", "task",      NULL,
};
static const char *const of_client[] = {
    "cmdline", "environ", "exe", "loginuid", "sessionid", NULL,
};

const char *process_files_path(const char *path, char room[PROCESS_FILES_ROOM]) {
  pid_t process;
  const char *name = identity_process() != 0 && path ? after_process(path, &process) : NULL;
  // The client's pid is not known here if it is one of another namespace.
  if (!name || process != identity_process() || process == getpid()) return path;
  int length;
  if (is_in(of_jvm, name)) {
    length = snprintf(room, PROCESS_FILES_ROOM, "/proc/self/%s", name);
  } else if (is_in(of_client, name)) {
    length = snprintf(room, PROCESS_FILES_ROOM, "/proc/%d/%s", process, name);
  } else {
    return path;
  }
  return length < PROCESS_FILES_ROOM ? room : path;
}

// The whole of a small file, as a string; false if it cannot be read.
static bool read_text(int file, char text[MAX_TEXT]) {
  ssize_t length, all = 0;
  while ((length = pread(file, text + all, (size_t)(MAX_TEXT - 1 - all), all)) > 0) all += length;
  text[all > 0 ? all : 0] = 0;
  return length == 0 && all > 0 && all < MAX_TEXT - 1;
}

// A file of the client.
static bool read_clients(const char *name, char text[MAX_TEXT]) {
  char path[PROCESS_FILES_ROOM];
  snprintf(path, sizeof path, "/proc/%d/%s", identity_process(), name);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  const bool is_read = read_text(fileno(file), text);
  fclose(file);
  return is_read;
}

// The fields of a "stat" from the third on, each a string; what is before them becomes the first.
// Their number, or -1.
static int split_stat(char *text, char **fields) {
  char *name_end = strrchr(text, ')');
  if (!name_end || name_end[1] != ' ') return -1;
  name_end[1] = 0;
  int count = 0;
  char *rest;
  for (char *field = strtok_r(name_end + 2, " \n", &rest); field && count < MAX_FIELDS;
       field = strtok_r(NULL, " \n", &rest)) {
    fields[count++] = field;
  }
  return count;
}

static long ticks(const struct timeval *time) {
  const long second = sysconf(_SC_CLK_TCK);
  return time->tv_sec * second + time->tv_usec * second / 1000000;
}

// What former runs have added to a field, by its number in proc(5).
static long added_before(int number) {
  switch (number) {
    case 10:
      return used_before.ru_minflt;
    case 11:
      return used_by_children_before.ru_minflt;
    case 12:
      return used_before.ru_majflt;
    case 13:
      return used_by_children_before.ru_majflt;
    case 14:
      return ticks(&used_before.ru_utime);
    case 15:
      return ticks(&used_before.ru_stime);
    case 16:
      return ticks(&used_by_children_before.ru_utime);
    case 17:
      return ticks(&used_by_children_before.ru_stime);
    default:
      return 0;
  }
}

// Of whom the process is: parent, group, session, terminal and its group; and when it began.
static bool is_of_client(int number) { return (number >= 4 && number <= 8) || number == 22; }

// The "stat" of this JVM as that of the run.
static bool print_own_stat(FILE *out, char *text) {
  char clients[MAX_TEXT], *fields[MAX_FIELDS], *clients_fields[MAX_FIELDS];
  const int count = split_stat(text, fields);
  if (count < 22 - 2 || !read_clients("stat", clients)) return false;
  if (split_stat(clients, clients_fields) != count) return false;
  fputs(clients, out);
  for (int i = 0; i < count; i++) {
    const int number = i + 3;
    if (is_of_client(number)) {
      fprintf(out, " %s", clients_fields[i]);
    } else if (added_before(number) != 0) {
      const long now = atol(fields[i]) - added_before(number);
      fprintf(out, " %ld", now > 0 ? now : 0);
    } else {
      fprintf(out, " %s", fields[i]);
    }
  }
  fputc('\n', out);
  return true;
}

// That of another process, which may be a child of this JVM.
static bool print_stat(FILE *out, char *text) {
  char *fields[MAX_FIELDS];
  const int count = split_stat(text, fields);
  if (count < 2) return false;
  const pid_t parent = atoi(fields[1]), seen = identity_parent(parent);
  fprintf(out, "%s %s %d", text, fields[0], seen);
  for (int i = 2; i < count; i++) fprintf(out, " %s", fields[i]);
  fputc('\n', out);
  return parent != seen;
}

// The "status" of this JVM as that of the run: its first lines say who it is.
static bool print_own_status(FILE *out, char *text) {
  static const char last[] = "\nTracerPid:";
  char clients[MAX_TEXT];
  const char *rest = strstr(text, last);
  if (!rest || !read_clients("status", clients)) return false;
  char *clients_rest = strstr(clients, last);
  if (!clients_rest) return false;
  *clients_rest = 0;
  fprintf(out, "%s%s", clients, rest);
  return true;
}

typedef bool (*printer)(FILE *, char *);

// What prints a file as the run has to read it; NULL: nothing has to.
static printer printer_of(const char *path) {
  pid_t process;
  const char *name = identity_process() != 0 ? after_process(path, &process) : NULL;
  if (!name) return NULL;
  const bool is_own = process == identity_process();
  if (strcmp(name, "stat") == 0) return is_own ? print_own_stat : print_stat;
  return is_own && strcmp(name, "status") == 0 ? print_own_status : NULL;
}

// Another file takes the place of this one. One that cannot be made is left as it is.
static void replace(int file, printer print, int flags) {
  char text[MAX_TEXT], *other = NULL;
  size_t length = 0;
  FILE *out = read_text(file, text) ? open_memstream(&other, &length) : NULL;
  if (!out) return;
  const bool is_other = print(out, text);
  const int copy = fclose(out) == 0 && is_other ? memfd_create("process", MFD_CLOEXEC) : -1;
  if (copy >= 0 && write(copy, other, length) == (ssize_t)length && lseek(copy, 0, SEEK_SET) == 0)
    dup3(copy, file, flags & O_CLOEXEC);
  if (copy >= 0) close(copy);
  free(other);
}

EXPORTED int open64(const char *path, int flags, ...) {
  NEXT(open64);
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  char room[PROCESS_FILES_ROOM];
  const int file = next(process_files_path(path, room), flags, mode);
  const printer print = file >= 0 && (flags & O_ACCMODE) == O_RDONLY ? printer_of(path) : NULL;
  if (print) replace(file, print, flags);
  return file;
}

EXPORTED int stat64(const char *restrict path, struct stat64 *restrict status) {
  NEXT(stat64);
  char room[PROCESS_FILES_ROOM];
  return next(process_files_path(path, room), status);
}

EXPORTED int lstat64(const char *restrict path, struct stat64 *restrict status) {
  NEXT(lstat64);
  char room[PROCESS_FILES_ROOM];
  return next(process_files_path(path, room), status);
}

// What newer updates of the class library use in place of both.
EXPORTED int statx(int folder, const char *restrict path, int flags, unsigned mask,
                   struct statx *restrict status) {
  NEXT(statx);
  char room[PROCESS_FILES_ROOM];
  return next(folder, process_files_path(path, room), flags, mask, status);
}

EXPORTED int access(const char *path, int mode) {
  NEXT(access);
  char room[PROCESS_FILES_ROOM];
  return next(process_files_path(path, room), mode);
}

EXPORTED ssize_t readlink(const char *restrict path, char *restrict link, size_t size) {
  NEXT(readlink);
  char room[PROCESS_FILES_ROOM];
  if (identity_process() == 0 || strcmp(path, "/proc/self") != 0)
    return next(process_files_path(path, room), link, size);
  const size_t length = (size_t)snprintf(room, sizeof room, "%d", identity_process());
  memcpy(link, room, length < size ? length : size);
  return (ssize_t)(length < size ? length : size);
}

static const char *after_folder_of_jvm(const char *path) {
  char folder[32];
  const size_t length = (size_t)snprintf(folder, sizeof folder, "/proc/%d", getpid());
  if (strncmp(path, folder, length) != 0) return NULL;
  return path[length] == 0 || path[length] == '/' ? path + length : NULL;
}

EXPORTED char *realpath(const char *restrict path, char *restrict resolved) {
  NEXT(realpath);
  char room[PROCESS_FILES_ROOM], whole[PATH_MAX];
  if (identity_process() == 0 || !path || after_folder_of_jvm(path)) return next(path, resolved);
  if (!next(process_files_path(path, room), whole)) return NULL;
  const char *real = whole, *rest = after_folder_of_jvm(whole);
  if (rest && strlen(rest) < sizeof room - 32) {
    snprintf(room, sizeof room, "/proc/%d%s", identity_process(), rest);
    real = room;
  }
  return resolved ? strcpy(resolved, real) : strdup(real);
}

// What code calls that was compiled with checks of its buffers.
EXPORTED char *__realpath_chk(const char *restrict path, char *restrict resolved, size_t size) {
  static char *(*next)(const char *, char *, size_t);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "__realpath_chk");
  return size < PATH_MAX ? next(path, resolved, size) : realpath(path, resolved);
}
