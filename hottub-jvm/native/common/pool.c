// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG 64

// Without limits, idle JVMs may have this part of the machine's memory, but not more than a large
// machine needs for it, and there may be as many as small ones take it.
#define MEMORY_PART 4
#define MEMORY_MAX_KB (16 * 1024 * 1024)
#define SMALL_JVM_KB (64 * 1024)
#define JVMS_MIN 8
#define JVMS_MAX 256

// A mark that is valid for longer comes from a clock that was wrong.
#define CLOSED_MAX_SECONDS (24 * 60 * 60)

static void read_line(const char *line, struct pool_limits *limits) {
  char key[32], digits[10];
  if (strcmp(line, "disabled") == 0) {
    limits->disabled = true;
  } else if (strcmp(line, "isolation clone") == 0) {
    limits->isolation = ISOLATION_CLONE;
  } else if (strcmp(line, "isolation strict") == 0) {
    limits->isolation = ISOLATION_STRICT;
  } else if (sscanf(line, "%31s %9[0-9]", key, digits) == 2) {  // not %u, which reads -1, too
    uint32_t value = (uint32_t)strtoul(digits, NULL, 10);
    if (strcmp(key, "max_jvms") == 0) limits->max_jvms = value;
    if (strcmp(key, "max_jvms_per_fingerprint") == 0) limits->max_jvms_per_fingerprint = value;
    // A JVM that never ends is not to be had, not even by mistake.
    if (strcmp(key, "idle_seconds") == 0) limits->idle_seconds = value ? value : 1;
    if (strcmp(key, "max_leases") == 0) limits->max_leases = value;
    if (strcmp(key, "training_runs") == 0) limits->training_runs = value;
    if (strcmp(key, "memory_mb") == 0) limits->memory_kb = (uint64_t)value * 1024;
  }
}

static uint32_t between(uint64_t value, uint32_t min, uint32_t max) {
  return value < min ? min : value > max ? max : (uint32_t)value;
}

// The Java library has the same (PoolLimits.ofMachine).
struct pool_limits pool_limits_of_machine(uint64_t memory_kb) {
  uint64_t idle_kb = between(memory_kb / MEMORY_PART, 0, MEMORY_MAX_KB);
  uint32_t jvms = between(idle_kb / SMALL_JVM_KB, JVMS_MIN, JVMS_MAX);
  return (struct pool_limits){.max_jvms = jvms,
                              .max_jvms_per_fingerprint = between(jvms / 2, JVMS_MIN, jvms),
                              .training_runs = 10,
                              .idle_seconds = 900,
                              .max_leases = 1000,
                              .memory_kb = idle_kb};
}

bool pool_limits_text(int user_dir, char text[POOL_LIMITS_MAX_BYTES + 1]) {
  int fd = openat(user_dir, POOL_LIMITS, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, POOL_LIMITS_MAX_BYTES);
  close(fd);
  if (length <= 0) return false;
  text[length] = '\0';
  return true;
}

bool pool_replace(int folder, const char *name, const char *draft, const char *text,
                  size_t length) {
  int fd = openat(folder, draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  bool written = write(fd, text, length) == (ssize_t)length;
  close(fd);
  if (written && renameat(folder, draft, folder, name) == 0) return true;
  int saved = errno;
  unlinkat(folder, draft, 0);
  errno = saved;
  return false;
}

void pool_limits_read(int user_dir, struct pool_limits *limits) {
  uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
  *limits = pool_limits_of_machine((uint64_t)sysconf(_SC_PHYS_PAGES) * page_kb);
  char text[POOL_LIMITS_MAX_BYTES + 1];
  if (!pool_limits_text(user_dir, text)) return;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    read_line(line, limits);
  }
}

int32_t pool_keeper_of(const char *name) { return atoi(name + strlen(POOL_OFFER_PREFIX)); }

bool pool_keeper_lives(int32_t keeper) {
  // The program may have been replaced by a newer one meanwhile.
  static const char *const names[] = {"/keeper", "/keeper (deleted)"};
  char link[64], program[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)keeper);
  ssize_t length = readlink(link, program, PATH_MAX);
  if (length < 0) return false;
  program[length] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t chars = strlen(names[i]);
    if ((size_t)length >= chars && strcmp(program + length - chars, names[i]) == 0) return true;
  }
  return false;
}

bool pool_keeper_answers(int dir, int32_t keeper) {
  if (pool_keeper_lives(keeper)) return true;
  // It may rename its socket just now, and back.
  static const char *const prefixes[] = {POOL_IDLE_PREFIX, POOL_BUSY_PREFIX, POOL_IDLE_PREFIX};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%d", prefixes[i], (int)keeper);
    int fd = pool_connect(dir, name);
    if (fd >= 0) close(fd);
    if (fd >= 0 || (errno != ENOENT && errno != ECONNREFUSED)) return true;
  }
  return false;
}

int32_t pool_template(int dir) {
  char digits[16];
  ssize_t length = readlinkat(dir, POOL_TEMPLATE, digits, sizeof digits - 1);
  if (length <= 0) return 0;
  digits[length] = '\0';
  int32_t keeper = atoi(digits);
  return keeper > 0 && pool_keeper_answers(dir, keeper) ? keeper : 0;
}

bool pool_is_fingerprint(const char *name) {
  return strlen(name) == POOL_FINGERPRINT_CHARS &&
         strspn(name, "0123456789abcdef") == POOL_FINGERPRINT_CHARS;
}

// A mark from the future was made before the clock was set back: its time may be far away.
static bool is_closed_by(int user_dir, const char *name) {
  struct stat info;
  if (fstatat(user_dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  time_t now = time(NULL), left = info.st_mtime - now;
  return left > 0 && left <= CLOSED_MAX_SECONDS && info.st_ctime <= now;
}

enum cold_reason pool_closed(int user_dir, const char *fingerprint) {
  char name[POOL_FINGERPRINT_CHARS + 16];
  struct stat info;
  if (fstatat(user_dir, POOL_DRAINED, &info, AT_SYMLINK_NOFOLLOW) == 0) return COLD_DRAINED;
  snprintf(name, sizeof name, "%s/" POOL_DRAINED, fingerprint);
  if (fstatat(user_dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0) return COLD_DRAINED;
  snprintf(name, sizeof name, "%s/" POOL_CRASHING, fingerprint);
  if (is_closed_by(user_dir, name)) return COLD_CIRCUIT_OPEN;
  snprintf(name, sizeof name, "%s/" POOL_CONFLICT, fingerprint);
  return is_closed_by(user_dir, name) ? COLD_CLASS_CONFLICT : COLD_NONE;
}

bool pool_close_for_a_day(int fingerprint_dir, const char *mark) {
  int fd = openat(fingerprint_dir, mark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  struct timespec until = {.tv_sec = time(NULL) + CLOSED_MAX_SECONDS};
  bool is_closed = futimens(fd, (struct timespec[]){until, until}) == 0;
  close(fd);
  return is_closed;
}

static void address_of(int dir, const char *name, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", dir, name);
}

static int new_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int close_keeping_errno(int fd) {
  int saved = errno;
  close(fd);
  errno = saved;
  return -1;
}

int pool_connect(int dir, const char *name) {
  int fd = new_socket();
  if (fd < 0) return -1;
  struct sockaddr_un address;
  address_of(dir, name, &address);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return close_keeping_errno(fd);
  if (!pool_peer_is_own(fd, NULL)) {
    errno = EPERM;
    return close_keeping_errno(fd);
  }
  return fd;
}

int pool_listen(int dir, const char *name) {
  int fd = new_socket();
  if (fd < 0) return -1;
  struct sockaddr_un address;
  address_of(dir, name, &address);
  mode_t before = umask(0177);
  int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
  umask(before);
  if (bound != 0 || listen(fd, BACKLOG) != 0) return close_keeping_errno(fd);
  return fd;
}

int pool_claims_open(int user_dir) {
  // To open with O_CREAT what is there already locks the folder in older kernels.
  int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  int fd = openat(user_dir, "claims", flags);
  return fd < 0 && errno == ENOENT ? openat(user_dir, "claims", flags | O_CREAT, 0600) : fd;
}

static struct flock lock_of(int32_t keeper, short type) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = keeper, .l_len = 1};
}

static bool lock_byte(int claims, int32_t keeper, short type) {
  struct flock byte = lock_of(keeper, type);
  return fcntl(claims, F_OFD_SETLK, &byte) == 0 || errno != EAGAIN;
}

bool pool_claim(int claims, int32_t keeper) { return lock_byte(claims, keeper, F_WRLCK); }

void pool_unclaim(int claims, int32_t keeper) { lock_byte(claims, keeper, F_UNLCK); }

bool pool_is_claimed(int claims, int32_t keeper) {
  struct flock byte = lock_of(keeper, F_WRLCK);
  return claims >= 0 && fcntl(claims, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

bool pool_peer_is_own(int socket, int32_t *pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  if (pid) *pid = peer.pid;
  return peer.uid == geteuid();
}
