/* Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * meter: watches over everything that the quickstart starts, and measures it.
 *
 *   meter guard COMMAND...
 *       Runs COMMAND as a "child subreaper": every process below it, however it was started or whoever died in between
 *       (containers, keepers, pooled JVMs), stays below this one. When COMMAND ends, for whatever reason, all that is
 *       left below is ended too (SIGTERM, then SIGKILL), by process id. Exit status is COMMAND's.
 *
 *   meter run --root PID [--skip PID]... [--node PID] [--pool DIR] [--out FILE] [--label TEXT] COMMAND...
 *       Runs COMMAND, waits until everything below PID (the guard) is at rest, and appends one JSON line to FILE:
 *       wall time of COMMAND, and the CPU time that all processes below PID have used since before COMMAND was started.
 *       At rest means: the process --node (the NodeManager) has no child left, no JVM in the pool DIR is leased or being
 *       reset, and CPU time has stopped growing. --skip leaves out the own time of a process (the daemons), not the time
 *       of its children. Exit status is COMMAND's.
 *
 * Why this is complete: a process's time is either its own (still alive) or was added to its parent's "children" time
 * when it was reaped; orphans are reaped by the guard. So the sum over the tree of own + children time never loses any.
 * Resolution: clock ticks (10 ms), rounded down for each of the few processes that are alive at both ends.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSES 65536
#define MAX_SKIPPED 16

struct process {
  pid_t pid, parent;
  char state;
  unsigned long long own, children;
  int below;
};

static struct process table[MAX_PROCESSES];
static int table_size;
static pid_t skipped[MAX_SKIPPED];
static int skipped_count;

static long long now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void pause_ms(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

static int read_process(pid_t pid, struct process *p) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  char *end = strrchr(text, ')');  /* the name may hold blanks and brackets */
  unsigned long long ut, st;
  long long cut, cst;
  int parent;
  if (!end || sscanf(end + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld", &p->state, &parent, &ut, &st,
                     &cut, &cst) != 6)
    return 0;
  p->pid = pid;
  p->parent = parent;
  p->own = ut + st;
  p->children = (unsigned long long)(cut + cst);
  p->below = -1;
  return 1;
}

static void read_table(void) {
  table_size = 0;
  DIR *d = opendir("/proc");
  if (!d) return;
  for (struct dirent *e; (e = readdir(d)) && table_size < MAX_PROCESSES;)
    if (isdigit((unsigned char)e->d_name[0]) && read_process(atoi(e->d_name), &table[table_size])) table_size++;
  closedir(d);
}

static struct process *find(pid_t pid) {
  for (int i = 0; i < table_size; i++)
    if (table[i].pid == pid) return &table[i];
  return NULL;
}

/* Is the process below root (not root itself)? */
static int is_below(struct process *p, pid_t root) {
  for (int depth = 0; p && depth < 10000; depth++) {
    if (p->parent == root) return 1;
    if (p->parent <= 1) return 0;
    p = find(p->parent);
  }
  return 0;
}

/* Ticks used by everything below root, root's reaped orphans included; -1 if root is gone. */
static long long ticks_below(pid_t root) {
  pid_t self = getpid();
  read_table();
  struct process *r = find(root);
  if (!r) return -1;
  long long sum = (long long)r->children;
  for (int i = 0; i < table_size; i++) {
    struct process *p = &table[i];
    if (!is_below(p, root)) continue;
    sum += (long long)p->children;
    int skip = p->pid == self;
    for (int k = 0; k < skipped_count; k++) skip |= skipped[k] == p->pid;
    if (!skip) sum += (long long)p->own;
  }
  return sum;
}

static int has_children(pid_t pid) {
  for (int i = 0; i < table_size; i++)
    if (table[i].parent == pid && table[i].state != 'Z') return 1;
  return 0;
}

/* A JVM that is held still for its clones has such a socket, too. */
static int is_template(const char *dir, pid_t keeper) {
  char path[PATH_MAX], target[16] = "";
  snprintf(path, sizeof path, "%s/template", dir);
  return readlink(path, target, sizeof target - 1) > 0 && atoi(target) == keeper;
}

/* Is there a JVM that is starting, leased or resetting (socket "b-PID") in a pool folder, or one below it? */
static int pool_is_busy(const char *dir, int depth) {
  DIR *d = opendir(dir);
  int busy = 0;
  if (!d) return 0;
  for (struct dirent *e; !busy && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    if (!strncmp(e->d_name, "b-", 2)) {
      pid_t keeper = atoi(e->d_name + 2);
      busy = keeper > 0 && kill(keeper, 0) == 0 && !is_template(dir, keeper);
    } else if (depth < 2) {
      char path[PATH_MAX];
      snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
      busy = pool_is_busy(path, depth + 1);
    }
  }
  closedir(d);
  return busy;
}

/* Waits until all is at rest; returns the ticks at that moment. */
static long long settle(pid_t root, pid_t node, const char *pool, long limit_ms, int *settled) {
  long long before = ticks_below(root), deadline = now_us() + limit_ms * 1000LL;
  *settled = 0;
  while (now_us() < deadline) {
    pause_ms(400);
    long long after = ticks_below(root);
    int quiet = after >= 0 && after - before <= 1 && after >= before;
    before = after;
    if (quiet && !(node && has_children(node)) && !(pool && pool_is_busy(pool, 0))) {
      *settled = 1;
      break;
    }
  }
  return before;
}

static int status_of(int s) { return WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s); }

static volatile sig_atomic_t guarded_child, guard_stopped;

static void on_signal(int sig) {
  guard_stopped = sig;
  if (guarded_child > 0) kill((pid_t)guarded_child, SIGTERM);
}

static int guard(char **command) {
  struct sigaction sa = {.sa_handler = on_signal};
  sigemptyset(&sa.sa_mask);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0) {
    perror("meter: PR_SET_CHILD_SUBREAPER");
    return 125;
  }
  sigaction(SIGTERM, &sa, NULL);
  sigaction(SIGHUP, &sa, NULL);
  sigaction(SIGINT, &sa, NULL);
  pid_t self = getpid(), child = fork();
  if (child < 0) return 125;
  if (child == 0) {
    char text[32];
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, (long)SIGTERM, 0L, 0L, 0L);
    if (getppid() != self) _exit(125);
    snprintf(text, sizeof text, "%d", (int)self);
    setenv("HOTTUB_QUICKSTART_GUARD", text, 1);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  guarded_child = child;
  if (guard_stopped) kill(child, SIGTERM);
  int status = 0, s;
  for (;;) {
    pid_t p = waitpid(-1, &s, 0);
    if (p == child) {
      status = s;
      break;
    }
    if (p < 0 && errno != EINTR) break;
  }
  guarded_child = 0;
  /* Whatever is left: first asked, then forced. As parents die, their children come up to us. */
  long long start = now_us();
  for (int round = 0;; round++) {
    int sig = now_us() - start < 5000000 ? SIGTERM : SIGKILL, left = 0;
    while (waitpid(-1, &s, WNOHANG) > 0) {
    }
    read_table();
    for (int i = 0; i < table_size; i++)
      if (is_below(&table[i], self) && table[i].state != 'Z') {
        left++;
        if (round == 0 || sig == SIGKILL) kill(table[i].pid, sig);
      }
    if (!left || now_us() - start > 20000000) break;
    pause_ms(100);
  }
  return status_of(status);
}

static int usage(void) {
  fputs("usage: meter guard COMMAND... | meter run --root PID [--skip PID] [--node PID] [--pool DIR] [--out FILE] [--label TEXT] COMMAND...\n",
        stderr);
  return 125;
}

static int run(char **argv) {
  pid_t root = 0, node = 0;
  const char *pool = NULL, *out = NULL, *label = "";
  while (*argv && !strncmp(*argv, "--", 2) && argv[1]) {
    const char *name = *argv++, *value = *argv++;
    if (!strcmp(name, "--root"))
      root = atoi(value);
    else if (!strcmp(name, "--node"))
      node = atoi(value);
    else if (!strcmp(name, "--pool"))
      pool = value;
    else if (!strcmp(name, "--out"))
      out = value;
    else if (!strcmp(name, "--label"))
      label = value;
    else if (!strcmp(name, "--skip") && skipped_count < MAX_SKIPPED)
      skipped[skipped_count++] = atoi(value);
    else
      return usage();
  }
  if (!*argv || root <= 0) return usage();

  int settled_before, settled_after, s = 0;
  long long before = settle(root, node, pool, 30000, &settled_before);
  long long start = now_us();
  pid_t child = fork();
  if (child < 0) return 125;
  if (child == 0) {
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
  }
  struct rusage usage_of_child;
  while (wait4(child, &s, 0, &usage_of_child) < 0 && errno == EINTR) {
  }
  long long wall = now_us() - start;
  long long after = settle(root, node, pool, 30000, &settled_after);
  long tick = sysconf(_SC_CLK_TCK);
  if (out) {
    FILE *f = fopen(out, "ae");
    if (!f) {
      perror(out);
      return 125;
    }
    fprintf(f, "{\"label\":\"%s\",\"status\":%d,\"wall_ms\":%.1f,\"cpu_ms\":%.0f,\"settled\":%s,\"settle_ms\":%.0f}\n", label,
            status_of(s), wall / 1000.0, (after - before) * 1000.0 / tick, settled_before && settled_after ? "true" : "false",
            (now_us() - start - wall) / 1000.0);
    fclose(f);
  }
  return status_of(s);
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "guard")) return guard(argv + 2);
  if (argc > 2 && !strcmp(argv[1], "run")) return run(argv + 2);
  return usage();
}
