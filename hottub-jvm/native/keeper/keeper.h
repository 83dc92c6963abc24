// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_KEEPER_H_
#define HOTTUB_KEEPER_H_

// The state of one keeper, the parent of one pooled JVM. The files around it have one job each,
// which their headers tell; each needs only those below it:
//
//   main           start-up and the poll loop
//   arrivals       what clients, the pool service and the JVM send, made into events
//   state-table    state x event -> action
//   state-actions  what is done in the cells of the table
//   generations    templates that are trained further, and the old ones
//   clones         copies of the JVM, each with a keeper of its own
//   run            the run that is leased, from its LEASE frame to its end
//   report         STATE as JSON, and lines for the journal of the pool
//   state          what a state is called, how long it may last, and the way into it
//   scarcity       whether the machine has memory left for an idle JVM
//   standing       the place in the pool: what others can read of the JVM, and who gives way
//   children       what the run has started beside it
//   counters       by which pid tools find the JVM
//   jvm            the child: start it, talk to it, signal it
//   jvm-command    its command line
//   connection     the connections of clients and of the pool service
//   endpoint       the sockets in the pool folder, and the claim
//   log            the keeper's log

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "frame.h"
#include "pool.h"
#include "reason.h"
#include "worth.h"

enum state {
  STARTING,
  IDLE,
  AUDITING,  // shown as IDLE
  ENTERING,  // START is sent, main is not entered; shown as LEASED
  LEASED,
  ENDING,    // the status is known, threads of the run are being ended; shown as LEASED
  EXITING,   // functions for the end of a process are called; shown as LEASED
  REVOKING,  // shown as LEASED
  RESETTING,
  FREEZING,  // a first clone is asked for; shown as TEMPLATE
  TEMPLATE,
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
  EV_WATCHED,       // signals to the client's process group will be seen
  EV_GROUP_SIGNAL,  // one was
  EV_ALONE,         // the client was killed, and not its group
  EV_CLONE,         // a clone is wanted
  EV_RAN,           // a clone has ended its run
  // from the JVM
  EV_READY,
  EV_ENTERED,
  EV_FALLBACK,
  EV_CHILDREN,  // the run is about to start its first
  EV_ENDING,
  EV_EXITING,
  EV_ENDED,
  EV_CLEAN,
  EV_DOUBT,
  EV_AUDITED,
  EV_CLONED,
  EV_COMPILED,
  EV_JVM_GONE,  // reaped
  // from the clock
  EV_DEADLINE,
  EV_SCARCITY,  // of memory: the JVM, which is idle or a template, has to end
  EVENT_COUNT
};

#define MAX_CONNECTIONS 64
#define MAX_ASKERS 64
#define MAX_RUN_DESCRIPTORS 240
#define NAME_CHARS 200

// What an event needs beside itself: the connection it came from, the message of the JVM.
struct occasion {
  struct connection *connection;
  uint32_t value;
  const struct control_message *message;
};

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
  bool is_overdue;          // so its JVM was killed, as it ended
  bool has_children;        // or had
  bool watched;             // a signal to its process group is seen
  pid_t pid, group, session;
  char main_class[NAME_CHARS];
  char container_id[NAME_CHARS];
  int64_t granted_us;
  int64_t cpu_before_us;  // CPU time of the JVM when the run began
};

// The exit status of a keeper whose JVM died before it was ready; any above it means that, too.
#define KEEPER_NO_JVM 2

struct keeper {
  enum state state;
  int64_t deadline;
  bool finished;

  const char *fingerprint;
  const char *home;
  int options;  // a list (texts.h) for the JVM that is to be started
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
  bool is_clone;     // it serves one run and ends with it
  bool for_recipes;  // nothing else may run in it, so that copies of it have met no other run
  bool made_ahead;   // a clone that is ready before anybody asked for it
  // The keeper of the template of a clone, or of the template before, which this JVM is to follow.
  pid_t parent;
  uint32_t generation;    // how often a JVM was copied for training, from the first one to this
  uint32_t hot_runs;      // of clones, in a row, that have compiled much
  bool may_freeze;        // it is to become a template
  int ready_wanted;       // clones that wait for a run
  int asked;              // clones of which the template has not said whether they have begun
  int64_t answer_by;      // when it has to
  int64_t refused_until;  // no clones are asked for until then
  // Connections of clients whose clones can be made once the first one is.
  int askers[MAX_ASKERS];
  size_t asker_count;
  bool lost_clone;  // one has died before it was ready
  int compilations_last, compilations;
  bool log_is_of_note;    // it says what nothing else does
  int jvm_status;         // of waitpid, once reaped
  int64_t jvm_cpu_us;     // processor time of it and the children it has waited for, once reaped
  int control;            // our end of the pair
  int control_number;     // the JVM's end, as a number in the JVM
  int output;             // what the JVM prints between leases
  bool apart_from_jvm;    // the JVM is in control groups of its run, and we are not
  int counters;           // the folder of its performance counters; -1: it has none
  pid_t counters_of;      // whose pid their file has for its name; 0: the JVM's
  ino_t counters_number;  // of the file

  struct connection connections[MAX_CONNECTIONS];
  struct run run;
  void (*client_gone)(struct keeper *k);  // what follows when the run has lost its client

  struct worth worth;  // as it was shown last
  int64_t next_look;   // at the memory of the machine
  int scarce_looks;    // at which there was hardly any, in a row
  bool retire_after_lease;
  enum retired_reason retire_reason;
  char doubt[900], left_class[200];  // what the JVM said when it failed its audit
  uint32_t runs, runs_ok;
  int64_t started_ms, since_ms;  // wall clock, for people: it may be set
  int64_t started_at, since;     // the same as monotonic time, for what depends on it
  int64_t reset_us_last, lease_us_last;
  char tenant[NAME_CHARS];  // of its runs; it is part of the fingerprint, so it never changes
};

#endif  // HOTTUB_KEEPER_H_
