// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "c-library.h"
#include "scheduling.h"
#include "signals.h"

extern char **environ;

enum {
  SETTINGS = 5,
  SETTING_BYTES = 64,
  CPU_SETS = 8,  // of 1024 processors each
};

// Of the process and of the main thread. One of them is shown as a hexadecimal number without
// saying so, one behind the name of the group that it is a setting of.
static const struct {
  const char *path, *prefix;
  bool is_last_word;
} settings[SETTINGS] = {{"/proc/self/oom_score_adj", "", false},
                        {"/proc/self/coredump_filter", "0x", false},
                        {"/proc/self/comm", "", false},
                        {"/proc/thread-self/comm", "", false},
                        {"/proc/self/autogroup", "", true}};

static char *no_environment[] = {NULL};
static struct sigaction actions[NSIG];
static struct rlimit limits[LEASE_LIMITS];
static int nice_at_start;
static struct scheduling scheduling_at_start;
static char settings_at_start[SETTINGS][SETTING_BYTES];
static cpu_set_t cpus_at_start[CPU_SETS];
static bool has_cpus_at_start;
static sigset_t blocked;  // on the main thread
static char *locale;
static char *resting_folder;  // where the process rests: the pool's folder takes reports of crashes
static fenv_t floating_point;

// Without the end of the line; empty where the kernel has none.
static void read_setting(int i, char value[SETTING_BYTES]) {
  int fd = open(settings[i].path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : read(fd, value, SETTING_BYTES - 1);
  if (length > 0 && value[length - 1] == '\n') length--;
  value[length < 0 ? 0 : length] = '\0';
  if (fd >= 0) close(fd);
  char *word = settings[i].is_last_word ? strrchr(value, ' ') : NULL;
  if (word) memmove(value, word + 1, strlen(word));
}

static bool write_setting(int i, const char *value) {
  char text[2 + SETTING_BYTES];
  int length = snprintf(text, sizeof text, "%s%s", settings[i].prefix, value);
  int fd = open(settings[i].path, O_WRONLY | O_CLOEXEC);
  bool written = fd >= 0 && write(fd, text, (size_t)length) == length;
  if (fd >= 0) close(fd);
  return written;
}

void process_remember(void) {
  for (int number = 1; number < NSIG; number++) sigaction(number, NULL, &actions[number]);
  for (int i = 0; i < LEASE_LIMITS; i++) getrlimit((__rlimit_resource_t)i, &limits[i]);
  nice_at_start = getpriority(PRIO_PROCESS, 0);
  scheduling_of(0, &scheduling_at_start);
  has_cpus_at_start = sched_getaffinity(0, sizeof cpus_at_start, cpus_at_start) == 0;
  for (int i = 0; i < SETTINGS; i++) read_setting(i, settings_at_start[i]);
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  locale = strdup(setlocale(LC_ALL, NULL));
  resting_folder = getcwd(NULL, 0);
  fegetenv(&floating_point);
  c_library_remember();
  environ = no_environment;
  umask(077);
}

static bool for_each_thread(bool (*visit)(int thread, const void *data), const void *data) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder) return false;
  bool ok = true;
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    if (entry->d_name[0] != '.' && !visit(atoi(entry->d_name), data)) ok = false;
  }
  closedir(folder);
  return ok;
}

static bool set_nice(int thread, const void *value) {
  return setpriority(PRIO_PROCESS, (id_t)thread, *(const int *)value) == 0;
}

// A thread that ends just now has none of these.
static bool restore_scheduling(int thread, const void *data) {
  (void)data;
  bool ok = scheduling_restore(thread, &scheduling_at_start);
  // Control groups narrow what is set here, and widen it again when the JVM leaves them.
  cpu_set_t cpus[CPU_SETS];
  if (has_cpus_at_start && sched_getaffinity(thread, sizeof cpus, cpus) == 0 &&
      memcmp(cpus, cpus_at_start, sizeof cpus) != 0) {
    ok &= sched_setaffinity(thread, sizeof cpus_at_start, cpus_at_start) == 0;
  }
  return ok;
}

// The kernel counts seconds, and a stock JVM has used some of the first one when main begins.
#define CPU_USED_MAX_SECONDS 1

// A limit of processor time counts what runs before have used. Clients do not ask for a JVM in
// reuse then, but for one that is to become a template.
static bool has_cpu_time_left(const struct lease *lease) {
  const struct lease_limit *limit = &lease->limits[RLIMIT_CPU];
  struct timespec used;
  return (limit->soft == RLIM_INFINITY && limit->hard == RLIM_INFINITY) ||
         (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 &&
          used.tv_sec < CPU_USED_MAX_SECONDS);
}

static int apply_limits(const struct lease *lease, char *err, size_t errlen) {
  if (!has_cpu_time_left(lease)) {
    snprintf(err, errlen, "other runs have used processor time, which is limited");
    return -1;
  }
  for (int i = 0; i < LEASE_LIMITS; i++) {
    if (i == RLIMIT_NOFILE) continue;  // every VM raises it to the hard limit when it starts
    if (lease->limits[i].hard != limits[i].rlim_max) {
      snprintf(err, errlen, "hard limit of resource %d differs", i);
      return -1;
    }
    struct rlimit wanted = {lease->limits[i].soft, limits[i].rlim_max};
    if (wanted.rlim_cur != limits[i].rlim_cur && setrlimit((__rlimit_resource_t)i, &wanted) != 0) {
      snprintf(err, errlen, "cannot set the limit of resource %d: %s", i, strerror(errno));
      return -1;
    }
  }
  return 0;
}

// The GNU C library uses these two for its threads: the one when a thread is first cancelled, the
// other from the second thread on. A child of the JDK's ProcessBuilder ignores both.
#define SIGNAL_CANCEL 32
#define SIGNAL_SETXID 33

static void ignore_signals(uint64_t ignored) {
  for (int number = 1; number <= SIGNALS_LAST; number++) {
    if (!(ignored & signals_bit(number)) || number == SIGNAL_SETXID) continue;
    // The VM leaves these alone where they are ignored; others that it handles it takes over.
    bool left_alone = number == SIGHUP || number == SIGINT || number == SIGTERM;
    if (left_alone || actions[number].sa_handler == SIG_DFL) signals_ignore(number);
  }
}

int process_apply(const struct lease *lease, struct start *start, char *err, size_t errlen) {
  if (descriptors_place(start, err, errlen) != 0 || apply_limits(lease, err, errlen) != 0)
    return -1;
  // Not compared with what was at the start: the pool service may have lowered it just after the
  // run before had ended.
  if (lease->nice != getpriority(PRIO_PROCESS, 0) && !for_each_thread(set_nice, &lease->nice)) {
    snprintf(err, errlen, "cannot set nice value %d: %s", lease->nice, strerror(errno));
    return -1;
  }
  if (chdir(lease->cwd) != 0) {
    snprintf(err, errlen, "cannot change to the working directory: %s", strerror(errno));
    return -1;
  }
  environ = lease->env.item;
  c_library_begin();
  umask((mode_t)lease->umask);
  ignore_signals(lease->ignored_signals);
  return 0;
}

static void stop_timers(void) {
  const struct itimerval never = {0};
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
    setitimer((__itimer_which_t)which, &never, NULL);
  }
  FILE *list = fopen("/proc/self/timers", "re");
  if (!list) return;
  char line[256];
  int id;
  while (fgets(line, sizeof line, list)) {
    if (sscanf(line, "ID: %d", &id) == 1) syscall(SYS_timer_delete, id);
  }
  fclose(list);
}

// What only native code can change. On the main thread, which is the only one that stays.
static void reset_native_state(void) {
  stop_timers();
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  fesetenv(&floating_point);
  munlockall();
  const char *now = setlocale(LC_ALL, NULL);
  if (locale && now && strcmp(now, locale) != 0) setlocale(LC_ALL, locale);
  c_library_reset();
}

void process_end_limits(struct doubt *doubt) {
  for (int i = 0; i < LEASE_LIMITS; i++) {
    if (setrlimit((__rlimit_resource_t)i, &limits[i]) != 0) {
      doubt_because(doubt, DOUBT_CANNOT_RESTORE_THE_LIMIT_OF_RESOURCE, i, strerror(errno));
    }
  }
}

void process_end_run(struct doubt *doubt) {
  reset_native_state();
  environ = no_environment;
  umask(077);
  for (int number = 1; number < NSIG; number++) {
    // The C library refuses those that it has for itself.
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &actions[number], NULL);
  }
  if (signals_ignored() & signals_bit(SIGNAL_CANCEL)) signals_default(SIGNAL_CANCEL);
  if (getpriority(PRIO_PROCESS, 0) != nice_at_start && !for_each_thread(set_nice, &nice_at_start)) {
    doubt_because(doubt, DOUBT_CANNOT_RESTORE_NICE_VALUE, nice_at_start, strerror(errno));
  }
  for (int i = 0; i < SETTINGS; i++) {
    char now[SETTING_BYTES];
    read_setting(i, now);
    if (strcmp(now, settings_at_start[i]) != 0 && !write_setting(i, settings_at_start[i])) {
      doubt_because(doubt, DOUBT_CANNOT_RESTORE, settings[i].path, strerror(errno));
    }
  }
  if (!for_each_thread(restore_scheduling, NULL)) {
    doubt_because(doubt, DOUBT_CANNOT_RESTORE_THE_SCHEDULING_OF_A_THREAD, strerror(errno));
  }
  if (!resting_folder || chdir(resting_folder) != 0) {
    doubt_because(doubt, DOUBT_CANNOT_GO_BACK_TO_THE_POOL_S_FOLDER, strerror(errno));
  }
}

bool process_has_no_children(struct doubt *doubt) {
  // Those that the end of their pipes or of their parent's threads ends are about to end.
  for (int i = 0; i < 40; i++) {
    pid_t ended;
    do ended = waitpid(-1, NULL, WNOHANG | __WALL);
    while (ended > 0);
    if (ended < 0) return true;  // ECHILD
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  doubt_because(doubt, DOUBT_A_CHILD_PROCESS_OF_THE_RUN_LIVES_ON);
  return false;
}
