// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_KEEPER_H_
#define HOTTUB_KEEPER_H_

// One keeper: the parent of one pooled JVM. This header is the keeper's whole state; the files
// around it have one job each:
//   main.c        start-up and the poll loop
//   machine.c     the table of state x event
//   connection.c  frames of clients and of the pool service, in and out
//   jvm.c         the child: start it, talk to it, signal it, reap it
//   endpoint.c    the sockets in the pool folder, the claim, and the log
//   report.c      STATE as JSON, and lines for the journal of the pool

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "frame.h"
#include "pool.h"
#include "reason.h"

enum state {
  STARTING,
  IDLE,
  AUDITING,  // shown as IDLE
  ENTERING,  // START is sent, main is not entered; shown as LEASED
  LEASED,
  ENDING,    // the status is known, threads of the run are being ended; shown as LEASED
  REVOKING,  // shown as LEASED
  RESETTING,
  RETIRING,
  STATE_COUNT
};

enum event {
  // from a connection
  EV_LEASE,
  EV_CLIENT_GONE,
  EV_SIGNAL,
  EV_REVOKE,
  EV_RETIRE,
  EV_AUDIT,
  EV_KEEP,
  // from the JVM
  EV_READY,
  EV_ENTERED,
  EV_FALLBACK,
  EV_ENDING,
  EV_ENDED,
  EV_CLEAN,
  EV_DOUBT,
  EV_AUDITED,
  EV_JVM_GONE,  // reaped
  // from the clock
  EV_DEADLINE,
  EVENT_COUNT
};

#define MAX_CONNECTIONS 64
#define MAX_RUN_DESCRIPTORS 240
#define NAME_CHARS 200

struct connection {
  int fd;  // -1: free
  pid_t pid;
  struct frame_reader reader;
  int64_t deadline;    // DEADLINE_NONE while it waits for an answer of ours
  bool wants_done;     // asked for REVOKE
  bool wants_audited;  // asked for AUDIT
};

// A run, from the LEASE frame to its EXIT.
struct run {
  struct connection *client;  // NULL: there is no run, or its client is gone
  int fds[CONTROL_MAX_DESCRIPTORS];
  size_t fd_count;
  uint8_t targets[MAX_RUN_DESCRIPTORS * 4];
  uint32_t target_count;
  uint64_t block_length;
  uint64_t signals;         // arrived before main was entered
  uint32_t status;          // once it is ending
  uint32_t revoked_signal;  // what the client is told in the end; 0: not revoked
  bool stopped;             // by a job-control signal
  pid_t pid, group, session;
  char main_class[NAME_CHARS];
  char container_id[NAME_CHARS];
  int64_t granted_us;
  int64_t cpu_before_us;  // CPU time of the JVM when the run began
};

struct keeper {
  enum state state;
  int64_t deadline;
  bool finished;

  const char *fingerprint;
  const char *home;
  char **options;
  int user_dir, pool_dir, offers_dir;
  struct pool_limits limits;

  int listener;
  bool shown_idle;  // the name of the socket
  int offers;       // where runs are offered: looked at whenever the keeper is awake
  int wake;         // where clients wake it when they have offered one
  int claims;       // of our own: holds the lock of the JVM unless it is idle, or a run has it
  int run_claim;    // came with the run, and holds the lock; -1: none
  bool claim_waited_for;
  int log;
  size_t log_bytes;

  pid_t jvm;
  int jvm_status;       // of waitpid, once reaped
  int control;          // our end of the pair
  int control_number;   // the JVM's end, as a number in the JVM
  int output;           // what the JVM prints between leases
  bool apart_from_jvm;  // the JVM is in control groups of its run, and we are not

  struct connection connections[MAX_CONNECTIONS];
  struct run run;

  bool retire_after_lease;
  enum retired_reason retire_reason;
  char doubt[900], left_class[200];  // what the JVM said when it failed its audit
  uint32_t runs, runs_ok;
  int64_t started_ms, since_ms;  // wall clock, for people: it may be set
  int64_t started_at, since;     // the same as monotonic time, for what depends on it
  int64_t reset_us_last, lease_us_last;
  char tenant[NAME_CHARS];  // of its runs; it is part of the fingerprint, so it never changes
};

// machine.c. What an event needs beside itself: the connection it came from, the message of the
// JVM.
struct occasion {
  struct connection *connection;
  uint32_t value;
  const struct control_message *message;
};
void machine_start(struct keeper *k);
void machine_event(struct keeper *k, enum event event, const struct occasion *occasion);
const char *machine_state_name(enum state state);

// connection.c
struct connection *connection_add(struct keeper *k, int fd);
void connection_accept(struct keeper *k);
void connection_accept_offers(struct keeper *k);
void connection_accept_wakers(struct keeper *k);
void connection_readable(struct keeper *k, struct connection *c);
void connection_close(struct keeper *k, struct connection *c);
void connection_expire(struct keeper *k);
void connection_answered(struct connection *c);
// Every answer is sent without waiting: a peer that does not read loses its connection, never the
// keeper's time.
void connection_send(struct keeper *k, struct connection *c, enum frame_type type,
                     const uint32_t *values, size_t count);
void connection_send_text(struct keeper *k, struct connection *c, enum frame_type type,
                          const void *text, size_t length);
// Takes the run out of a LEASE frame: 0, or the reason to refuse it.
uint32_t connection_take_run(struct keeper *k, struct connection *c);

// jvm.c
int jvm_start(struct keeper *k);  // 0, or -1 after a line in the log
void jvm_readable(struct keeper *k);
void jvm_output_readable(struct keeper *k);
void jvm_reap(struct keeper *k);
int jvm_send_run(struct keeper *k);
void jvm_say(struct keeper *k, enum control_type type);
void jvm_kill(struct keeper *k, const char *why);
void jvm_signal(struct keeper *k, int number);
enum jvm_disposition { JVM_DEFAULT, JVM_IGNORES, JVM_CATCHES };
enum jvm_disposition jvm_disposition(const struct keeper *k, int number);

// endpoint.c
int endpoint_open(struct keeper *k);  // 0, or -1 with errno
// Shows whether the JVM is idle; if it is, any client may claim it from now on.
void endpoint_show(struct keeper *k, bool idle);
// Claims the own JVM when it is idle: false if a client has claimed it, and its run is on the way.
bool endpoint_claim(struct keeper *k);
void endpoint_remove(struct keeper *k);
void log_line(struct keeper *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_raw(struct keeper *k, const char *data, size_t length);

// report.c
void report_state(struct keeper *k, struct connection *c);
void report_reset(struct keeper *k, const char *phases);  // a run is over, and the JVM is clean
void report_end(struct keeper *k, bool retired);          // the JVM is gone
int64_t report_cpu_us(const struct keeper *k);            // CPU time of the JVM so far, or -1

#endif  // HOTTUB_KEEPER_H_
