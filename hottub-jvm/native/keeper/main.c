// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// keeper CONNECTION LOCK USER_DIR FINGERPRINT HOME reuse|template|strict OPTIONS
// keeper CONNECTION LOCK USER_DIR FINGERPRINT HOME clone JVM CONTROL NUMBER
//
// CONNECTION, LOCK, USER_DIR and OPTIONS are numbers of inherited descriptors: the connection of
// the client that started us (or "-"), the start lock, which we hold until our socket can be
// counted (or "-"), the user's folder of the pool, and the options of the JVM (texts.h). JVM is the
// pid of a clone, a child of ours, CONTROL our end of its control socket, NUMBER that of its own
// end in it. Exit status: 0 retired, 1 the JVM died, 2 it died before it was ready, 100 usage, 111
// system.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrivals.h"
#include "cgroup.h"
#include "clones.h"
#include "connection.h"
#include "deadline.h"
#include "endpoint.h"
#include "jvm.h"
#include "keeper.h"
#include "log.h"
#include "report.h"
#include "scarcity.h"
#include "standing.h"
#include "state-table.h"

enum fixed_entry {
  POLL_SIGNALS,
  POLL_WAKE,
  POLL_LISTENER,
  POLL_CONTROL,
  POLL_OUTPUT,
  POLL_CONNECTIONS
};

static int inherited(const char *text) {
  if (strcmp(text, "-") == 0) return -1;
  int fd = atoi(text);
  if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
    fprintf(stderr, "keeper: %s is not an open descriptor; it is started by the client bin/java\n",
            text);
    exit(100);
  }
  return fd;
}

// The core of a JVM that dies between runs would lie in the pool, which is memory. A run has the
// limit of its caller.
static void leave_no_core(void) {
  struct rlimit core;
  if (getrlimit(RLIMIT_CORE, &core) != 0) return;
  core.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &core);
}

static int block_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_SETMASK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void signals_readable(struct keeper *k, int fd) {
  struct signalfd_siginfo info;
  while (read(fd, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGCHLD) {
      arrivals_reap_jvm(k);
    } else {
      // Nobody waits for the answer to a signal: a connection that is not there.
      struct connection nobody = {.fd = -1};
      table_event(k, EV_RETIRE, &(struct occasion){.connection = &nobody});
    }
  }
}

// A client that is killed before it has woken us leaves its offer, with all its descriptors.
#define OFFER_MAX_MS 5000

// Of the state, and of the answers that the JVM owes in it.
static int64_t jvm_deadline(const struct keeper *k) {
  return k->answer_by < k->deadline ? k->answer_by : k->deadline;
}

static int64_t next_deadline(const struct keeper *k) {
  int64_t next = monotonic_ms() + OFFER_MAX_MS;
  if (jvm_deadline(k) < next) next = jvm_deadline(k);
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    const struct connection *c = &k->connections[i];
    if (c->fd >= 0 && c->deadline < next) next = c->deadline;
  }
  return next;
}

static void turn(struct keeper *k, int signals) {
  struct pollfd entries[POLL_CONNECTIONS + MAX_CONNECTIONS] = {
      [POLL_SIGNALS] = {.fd = signals, .events = POLLIN},
      [POLL_WAKE] = {.fd = k->wake, .events = POLLIN},
      [POLL_LISTENER] = {.fd = k->listener, .events = POLLIN},
      [POLL_CONTROL] = {.fd = k->control, .events = POLLIN},
      [POLL_OUTPUT] = {.fd = k->output, .events = POLLIN},
  };
  // Only those that are open: the kernel refuses to poll more entries than the process may have
  // descriptors, which can be fewer than our slots.
  struct connection *connections[MAX_CONNECTIONS];
  size_t count = 0;
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    struct connection *c = &k->connections[i];
    if (c->fd < 0) continue;
    entries[POLL_CONNECTIONS + count] = (struct pollfd){.fd = c->fd, .events = POLLIN};
    connections[count++] = c;
  }
  int ready = poll(entries, POLL_CONNECTIONS + count, deadline_poll_ms(next_deadline(k)));
  if (ready < 0) return;

  // The JVM's own word comes before the report of its death, and both before what others want of
  // it.
  if (entries[POLL_OUTPUT].revents) jvm_output_readable(k);
  if (entries[POLL_CONTROL].revents && k->control >= 0) arrivals_read_jvm(k);
  if (entries[POLL_SIGNALS].revents) signals_readable(k, signals);
  if (k->finished) return;
  for (size_t i = 0; i < count; i++) {
    struct connection *c = connections[i];
    if (entries[POLL_CONNECTIONS + i].revents && c->fd >= 0) arrivals_read_connection(k, c);
  }
  if (entries[POLL_WAKE].revents) arrivals_accept_wakers(k);
  arrivals_accept_offers(k);
  if (entries[POLL_LISTENER].revents) arrivals_accept(k);
  connection_expire(k);
  if (jvm_deadline(k) <= monotonic_ms()) table_event(k, EV_DEADLINE, &(struct occasion){0});
  if (scarcity_ends(k)) table_event(k, EV_SCARCITY, &(struct occasion){0});
}

// At run time, so that the connections' buffers take no room in the program.
static void initialize(struct keeper *k) {
  k->deadline = k->answer_by = DEADLINE_NONE;
  k->listener = k->offers = k->wake = k->claims = k->run_claim = -1;
  k->log = k->control = k->output = k->counters = -1;
  k->reset_us_last = k->lease_us_last = -1;
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) k->connections[i].fd = -1;
  k->started_ms = wall_clock_ms();
  k->started_at = monotonic_ms();
}

// The client may run cold, and learns why; one that has claimed us does not wait for an answer.
static int cannot_begin(const struct keeper *k, int connection) {
  uint32_t reason = REFUSED_POOL_UNWRITABLE;
  bool is_claimed = errno == EAGAIN;
  fprintf(stderr, "keeper: cannot make its files in folder %s of the pool: %s\n", k->fingerprint,
          strerror(errno));
  if (connection >= 0 && !is_claimed) {
    frame_write_u32(connection, FRAME_REFUSED, &reason, 1, monotonic_ms() + FRAME_DEADLINE_MS);
  }
  return 111;
}

int main(int argc, char **argv) {
  bool adopts = argc == 11 && strcmp(argv[6], "clone") == 0;
  bool for_recipes = argc >= 7 && strcmp(argv[6], "strict") == 0;
  bool may_freeze = for_recipes || (argc >= 7 && strcmp(argv[6], "template") == 0);
  if (!adopts && (argc != 8 || (!may_freeze && strcmp(argv[6], "reuse") != 0))) {
    fprintf(stderr,
            "usage: keeper CONNECTION LOCK USER_DIR FINGERPRINT HOME reuse|template|strict "
            "OPTIONS\n");
    return 100;
  }
  static struct keeper keeper;
  struct keeper *k = &keeper;
  initialize(k);
  int connection = inherited(argv[1]);
  int lock = inherited(argv[2]);
  k->user_dir = inherited(argv[3]);
  k->fingerprint = argv[4];
  k->home = argv[5];
  if (!adopts) k->options = inherited(argv[7]);
  k->may_freeze = may_freeze;
  k->for_recipes = for_recipes;

  umask(077);
  leave_no_core();
  int signals = block_signals();
  if (signals < 0) return 111;
  if (endpoint_open(k) != 0) return cannot_begin(k, connection);
  if (!standing_begin(k)) {
    int status = cannot_begin(k, connection);
    endpoint_remove(k);
    return status;
  }
  if (lock >= 0) close(lock);
  pool_limits_read(k->user_dir, &k->limits);
  if (adopts) {
    jvm_adopt(k, atoi(argv[7]), inherited(argv[8]), atoi(argv[9]), (uint32_t)atoi(argv[10]));
    k->made_ahead = k->is_clone && connection < 0;
  } else if (jvm_start(k) != 0) {
    standing_end(k);
    endpoint_remove(k);
    return 111;
  }
  // After the JVM has been started, which is to see the limits of its first run.
  int stays;
  k->apart_from_jvm = cgroup_leave_container(&stays) > 0;
  if (stays > 0) log_line(k, "stays in %d control groups of a container", stays);
  table_begin(k);
  if (connection >= 0) connection_add(k, connection);
  while (!k->finished) turn(k, signals);

  // What the JVM said last explains its death.
  for (int i = 0; i < 16 && k->output >= 0; i++) jvm_output_readable(k);
  standing_end(k);
  clones_end(k);
  if (k->retire_reason == RETIRED_ASKED) clones_retire(k);
  endpoint_remove(k);
  bool retired = k->state == RETIRING;
  bool was_ready = k->state != STARTING;
  report_end(k, retired);
  bool served = k->is_clone && WIFEXITED(k->jvm_status) && k->retire_reason == RETIRED_SERVED;
  log_line(k, "ended after %u runs: %s", k->runs,
           retired || served ? retired_word(k->retire_reason) : "the JVM died");
  // There is one for each run; what counts of it is in the journal.
  if (served && !k->log_is_of_note) log_remove(k);
  return retired ? 0 : was_ready ? 1 : KEEPER_NO_JVM;
}
