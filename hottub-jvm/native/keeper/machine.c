// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The keeper as a table: state x event -> action. Every transition goes through enter(), which sets
// the deadline of the new state and says so in the log.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "deadline.h"
#include "fdpass.h"
#include "keeper.h"
#include "signals.h"

static const struct {
  const char *name;     // in the log
  const char *shown;    // in STATE
  int64_t deadline_ms;  // 0: none, or set by the transition
} states[STATE_COUNT] = {
    [STARTING] = {"STARTING", "STARTING", 30000}, [IDLE] = {"IDLE", "IDLE", 0},
    [AUDITING] = {"AUDITING", "IDLE", 10000},     [ENTERING] = {"ENTERING", "LEASED", 5000},
    [LEASED] = {"LEASED", "LEASED", 0},           [ENDING] = {"ENDING", "LEASED", 2000},
    [REVOKING] = {"REVOKING", "LEASED", 2000},    [RESETTING] = {"RESETTING", "RESETTING", 10000},
    [RETIRING] = {"RETIRING", "RETIRING", 2000},
};

static const char *const event_names[EVENT_COUNT] = {
    [EV_LEASE] = "LEASE",       [EV_CLIENT_GONE] = "CLIENT_GONE",
    [EV_SIGNAL] = "SIGNAL",     [EV_REVOKE] = "REVOKE",
    [EV_RETIRE] = "RETIRE",     [EV_AUDIT] = "AUDIT",
    [EV_KEEP] = "KEEP",         [EV_READY] = "READY",
    [EV_ENTERED] = "ENTERED",   [EV_FALLBACK] = "FALLBACK",
    [EV_ENDING] = "ENDING",     [EV_ENDED] = "ENDED",
    [EV_CLEAN] = "CLEAN",       [EV_DOUBT] = "DOUBT",
    [EV_AUDITED] = "AUDITED",   [EV_JVM_GONE] = "JVM_GONE",
    [EV_DEADLINE] = "DEADLINE",
};

const char *machine_state_name(enum state state) { return states[state].shown; }

// A client that has claimed the JVM offers it a run at once, unless it is stopped.
#define CLAIM_MAX_MS 500

static void enter(struct keeper *k, enum state state) {
  log_line(k, "%s -> %s (run %u)", states[k->state].name, states[state].name, k->runs);
  k->state = state;
  k->since_ms = wall_clock_ms();
  k->since = monotonic_ms();
  int64_t wait = state == IDLE ? (int64_t)k->limits.idle_seconds * 1000 : states[state].deadline_ms;
  k->deadline = wait ? k->since + wait : DEADLINE_NONE;
  k->claim_waited_for = false;
  endpoint_show(k, state == IDLE);
}

// ---- ends of a run

static void forget_run_descriptors(struct keeper *k) {
  fdpass_close(k->run.fds, k->run.fd_count);
  k->run.fd_count = 0;
}

// What the run has used is its container's, which may be gone as soon as the client is.
static void leave_cgroups(struct keeper *k) {
  int failed = 0;
  if (!k->apart_from_jvm || k->jvm <= 0) return;
  k->apart_from_jvm = false;
  cgroup_follow(k->jvm, getpid(), &failed);
  if (failed > 0) log_line(k, "the JVM stays in %d control groups of its last run", failed);
}

// Tells the client how its run ended; afterwards the connection is an ordinary one.
static void end_run(struct keeper *k, enum frame_exit_kind kind, uint32_t value) {
  struct connection *client = k->run.client;
  k->run.client = NULL;
  forget_run_descriptors(k);
  leave_cgroups(k);
  if (!client) return;
  uint32_t values[2] = {kind, value};
  connection_answered(client);
  connection_send(k, client, FRAME_EXIT, values, 2);
}

static void end_run_as_revoked(struct keeper *k) {
  end_run(k, EXIT_SIGNAL, k->run.revoked_signal);
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    struct connection *c = &k->connections[i];
    if (c->fd < 0 || !c->wants_done) continue;
    c->wants_done = false;
    connection_answered(c);
    connection_send(k, c, FRAME_DONE, NULL, 0);
  }
}

static void answer_audits(struct keeper *k, const struct control_message *message) {
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    struct connection *c = &k->connections[i];
    if (c->fd < 0 || !c->wants_audited) continue;
    c->wants_audited = false;
    connection_answered(c);
    if (message) {
      connection_send_text(k, c, FRAME_STATE, message->text, message->text_length);
    } else {
      report_state(k, c);
    }
  }
}

// ---- transitions shared by several rows

static void retire(struct keeper *k, enum retired_reason reason) {
  if (!k->retire_reason) k->retire_reason = reason;
  log_line(k, "retiring: %s", retired_word(k->retire_reason));
  jvm_say(k, CONTROL_RETIRE);
  enter(k, RETIRING);
}

static void become_idle(struct keeper *k) {
  if (k->retire_after_lease) {
    retire(k, RETIRED_ASKED);
  } else if (k->runs >= k->limits.max_leases) {
    retire(k, RETIRED_MAX_LEASES);
  } else {
    enter(k, IDLE);
  }
}

// True if what limits the client limits the JVM, too.
static bool join_cgroups(struct keeper *k) {
  int failed;
  if (k->run.pid <= 0) return true;  // of another pid namespace: it is not ours to lead
  if (cgroup_follow(k->jvm, k->run.pid, &failed) > 0) k->apart_from_jvm = true;
  if (failed == 0) return true;
  struct bytes limits = {0};
  bool limited = cgroup_limits(k->run.pid, &limits);
  bytes_free(&limits);
  return !limited;
}

// The run has not begun, and its client has been told or is gone.
static void drop_run(struct keeper *k) {
  k->run.client = NULL;
  forget_run_descriptors(k);
  leave_cgroups(k);
  become_idle(k);
}

static void grant(struct keeper *k) {
  k->run.granted_us = monotonic_us();
  if (!join_cgroups(k)) {
    uint32_t reason = REFUSED_CGROUP;
    connection_send(k, k->run.client, FRAME_REFUSED, &reason, 1);
    drop_run(k);
    return;
  }
  k->runs++;
  k->run.cpu_before_us = report_cpu_us(k);
  uint64_t now = (uint64_t)k->run.granted_us;
  uint32_t values[4] = {(uint32_t)k->jvm, k->runs, (uint32_t)now, (uint32_t)(now >> 32)};
  connection_send(k, k->run.client, FRAME_GRANTED, values, 4);
  if (!k->run.client) {  // it went away just now
    k->runs--;
    drop_run(k);
    return;
  }
  if (jvm_send_run(k) != 0) {
    jvm_kill(k, "it did not take the START message");
  }
  forget_run_descriptors(k);
  enter(k, ENTERING);
}

static void begin_revocation(struct keeper *k, uint32_t number) {
  k->run.revoked_signal = number;
  // A stopped JVM could not obey.
  if (k->run.stopped) jvm_signal(k, SIGCONT);
  jvm_say(k, CONTROL_REVOKE);
  enter(k, REVOKING);
}

// What a signal does to the run: exactly what it would do to a process with the JVM's dispositions,
// except that a fatal one ends the lease and not the JVM.
static void deliver(struct keeper *k, uint32_t number) {
  enum jvm_disposition disposition = jvm_disposition(k, (int)number);
  if (number == SIGCONT && k->run.stopped) {
    k->run.stopped = false;
    jvm_signal(k, SIGCONT);
    return;
  }
  if (disposition == JVM_CATCHES) {
    jvm_signal(k, (int)number);
    return;
  }
  if (disposition == JVM_IGNORES) return;
  switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
      return;
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      k->run.stopped = true;
      jvm_signal(k, SIGSTOP);
      connection_send(k, k->run.client, FRAME_STOPPED, NULL, 0);
      return;
    default:
      begin_revocation(k, number);
  }
}

// ---- actions

typedef void action(struct keeper *k, const struct occasion *o);

static void nothing(struct keeper *k, const struct occasion *o) {
  (void)k;
  (void)o;
}

static void refuse_busy(struct keeper *k, const struct occasion *o) {
  uint32_t reason = REFUSED_BUSY;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
}

static void refuse_retiring(struct keeper *k, const struct occasion *o) {
  uint32_t reason = REFUSED_RETIRING;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
}

static void done(struct keeper *k, const struct occasion *o) {
  connection_send(k, o->connection, FRAME_DONE, NULL, 0);
}

static void show_state(struct keeper *k, const struct occasion *o) {
  report_state(k, o->connection);
}

static bool take_run(struct keeper *k, const struct occasion *o) {
  uint32_t reason = connection_take_run(k, o->connection);
  if (reason == 0) return true;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
  return false;
}

static void starting_lease(struct keeper *k, const struct occasion *o) {
  if (k->run.client) {
    refuse_busy(k, o);
  } else {
    take_run(k, o);
  }
}

static void starting_client_gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  forget_run_descriptors(k);
}

static void starting_ready(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (k->run.client) {
    grant(k);
  } else {
    become_idle(k);
  }
}

static void starting_revoke(struct keeper *k, const struct occasion *o) {
  end_run(k, EXIT_SIGNAL, o->value);
  done(k, o);
}

static void starting_retire(struct keeper *k, const struct occasion *o) {
  k->retire_reason = RETIRED_ASKED;
  end_run(k, EXIT_FALLBACK, 0);
  done(k, o);
  jvm_kill(k, "it is not wanted any more");
  enter(k, RETIRING);
}

static void idle_lease(struct keeper *k, const struct occasion *o) {
  if (!take_run(k, o)) return;
  if (k->run_claim < 0) endpoint_claim(k);
  grant(k);
}

// Retires the idle JVM, unless a client has claimed it: then the run that is on its way goes first.
static void retire_unclaimed(struct keeper *k, enum retired_reason reason) {
  if (k->claim_waited_for || endpoint_claim(k)) {
    retire(k, reason);
    return;
  }
  k->claim_waited_for = true;
  k->deadline = monotonic_ms() + CLAIM_MAX_MS;
}

static void idle_retire(struct keeper *k, const struct occasion *o) {
  done(k, o);
  k->retire_after_lease = true;
  if (!k->claim_waited_for) retire_unclaimed(k, RETIRED_ASKED);
}

// The pool service wants an idle JVM to live on. It has to say so again and again: without it, the
// JVM ends by itself.
static void idle_keep(struct keeper *k, const struct occasion *o) {
  if (!k->claim_waited_for) k->deadline = monotonic_ms() + (int64_t)o->value * 1000;
  done(k, o);
}

static void idle_audit(struct keeper *k, const struct occasion *o) {
  if (!endpoint_claim(k)) {
    show_state(k, o);
    return;
  }
  o->connection->wants_audited = true;
  jvm_say(k, CONTROL_AUDIT);
  enter(k, AUDITING);
}

static void more_audit(struct keeper *k, const struct occasion *o) {
  (void)k;
  o->connection->wants_audited = true;
}

static void idle_deadline(struct keeper *k, const struct occasion *o) {
  (void)o;
  retire_unclaimed(k, k->retire_after_lease ? RETIRED_ASKED : RETIRED_IDLE);
}

static void doubt(struct keeper *k, const struct occasion *o) {
  const struct control_message *m = o->message;
  log_line(k, "the JVM doubts its state: %.900s", m->text);
  // Both are zero before.
  memcpy(k->doubt, m->text, strnlen(m->text, sizeof k->doubt - 1));
  if (m->value < sizeof k->left_class && m->value <= m->text_length) {
    memcpy(k->left_class, m->text, m->value);
  }
  answer_audits(k, NULL);
  retire(k, RETIRED_DOUBT);
}

static void auditing_audited(struct keeper *k, const struct occasion *o) {
  answer_audits(k, o->message);
  become_idle(k);
}

static void retire_later(struct keeper *k, const struct occasion *o) {
  k->retire_after_lease = true;
  done(k, o);
}

static bool is_signal(uint32_t number) { return number >= 1 && number <= SIGNALS_LAST; }

static void entering_entered(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->lease_us_last = monotonic_us() - k->run.granted_us;
  enter(k, LEASED);
  connection_send(k, k->run.client, FRAME_ENTERED, NULL, 0);
  for (uint32_t number = 1; number <= SIGNALS_LAST && k->state == LEASED; number++) {
    if (k->run.signals & signals_bit((int)number)) deliver(k, number);
  }
}

static void entering_fallback(struct keeper *k, const struct occasion *o) {
  log_line(k, "the JVM could not begin the run: %.300s", o->message->text);
  end_run(k, EXIT_FALLBACK, 0);
  enter(k, RESETTING);
}

static void entering_signal(struct keeper *k, const struct occasion *o) {
  if (is_signal(o->value)) k->run.signals |= signals_bit((int)o->value);
}

static void leased_signal(struct keeper *k, const struct occasion *o) {
  if (is_signal(o->value)) deliver(k, o->value);
}

static void leased_client_gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  leave_cgroups(k);
  begin_revocation(k, SIGKILL);
}

static void leased_revoke(struct keeper *k, const struct occasion *o) {
  o->connection->wants_done = true;
  begin_revocation(k, is_signal(o->value) ? o->value : SIGKILL);
}

static void more_revoke(struct keeper *k, const struct occasion *o) {
  (void)k;
  o->connection->wants_done = true;
}

static void leased_ended(struct keeper *k, const struct occasion *o) {
  k->runs_ok++;
  end_run(k, EXIT_STATUS, o->message->value);
  enter(k, RESETTING);
}

static void leased_ending(struct keeper *k, const struct occasion *o) {
  k->run.status = o->message->value;
  enter(k, ENDING);
}

// It sends this instead of ENDED, and ends. The rest is that of any JVM that dies while it ends a
// run.
static void ending_doubt(struct keeper *k, const struct occasion *o) {
  log_line(k, "the JVM cannot end the run: %.300s", o->message->text);
  if (!k->retire_reason) k->retire_reason = RETIRED_DOUBT;
}

static void revoking_ended(struct keeper *k, const struct occasion *o) {
  (void)o;
  end_run_as_revoked(k);
  enter(k, RESETTING);
}

static void resetting_clean(struct keeper *k, const struct occasion *o) {
  k->reset_us_last = (int64_t)o->message->a;
  report_reset(k, o->message->text);
  become_idle(k);
}

static void overdue(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (!k->retire_reason) k->retire_reason = RETIRED_DEADLINE;
  jvm_kill(k, "it missed a deadline");
  // Only the report of its death is left to wait for.
  k->deadline = DEADLINE_NONE;
}

static void violation(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (!k->retire_reason) k->retire_reason = RETIRED_PROTOCOL;
  jvm_kill(k, "it sent a message that does not fit its state");
}

static void gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->finished = true;
}

// Before main was entered the client decides by its token whether it may run cold; for the case
// that it may not, the value says how the JVM died.
static void gone_before_entry(struct keeper *k, const struct occasion *o) {
  end_run(k, EXIT_FALLBACK, (uint32_t)k->jvm_status);
  gone(k, o);
}

static void leased_gone(struct keeper *k, const struct occasion *o) {
  if (WIFSIGNALED(k->jvm_status)) {
    end_run(k, EXIT_SIGNAL, (uint32_t)WTERMSIG(k->jvm_status));
  } else {
    end_run(k, EXIT_STATUS, (uint32_t)WEXITSTATUS(k->jvm_status));
  }
  gone(k, o);
}

// A stock JVM would have ended with that status, whatever its other threads were doing.
static void ending_gone(struct keeper *k, const struct occasion *o) {
  end_run(k, EXIT_STATUS, k->run.status);
  gone(k, o);
}

static void revoking_gone(struct keeper *k, const struct occasion *o) {
  end_run_as_revoked(k);
  gone(k, o);
}

static void auditing_gone(struct keeper *k, const struct occasion *o) {
  answer_audits(k, NULL);
  gone(k, o);
}

// An empty cell is a message that the JVM must not send in that state; the last row of defaults
// says so.
static action *const table[STATE_COUNT][EVENT_COUNT] = {
    [STARTING] = {[EV_LEASE] = starting_lease,
                  [EV_CLIENT_GONE] = starting_client_gone,
                  [EV_SIGNAL] = entering_signal,
                  [EV_REVOKE] = starting_revoke,
                  [EV_RETIRE] = starting_retire,
                  [EV_AUDIT] = show_state,
                  [EV_KEEP] = done,
                  [EV_READY] = starting_ready,
                  [EV_JVM_GONE] = gone_before_entry,
                  [EV_DEADLINE] = overdue},
    [IDLE] = {[EV_LEASE] = idle_lease,
              [EV_CLIENT_GONE] = nothing,
              [EV_SIGNAL] = nothing,
              [EV_REVOKE] = done,
              [EV_RETIRE] = idle_retire,
              [EV_AUDIT] = idle_audit,
              [EV_KEEP] = idle_keep,
              [EV_DOUBT] = doubt,
              [EV_JVM_GONE] = gone,
              [EV_DEADLINE] = idle_deadline},
    [AUDITING] = {[EV_LEASE] = refuse_busy,
                  [EV_CLIENT_GONE] = nothing,
                  [EV_SIGNAL] = nothing,
                  [EV_REVOKE] = done,
                  [EV_RETIRE] = retire_later,
                  [EV_AUDIT] = more_audit,
                  [EV_KEEP] = done,
                  [EV_AUDITED] = auditing_audited,
                  [EV_DOUBT] = doubt,
                  [EV_JVM_GONE] = auditing_gone,
                  [EV_DEADLINE] = overdue},
    [ENTERING] = {[EV_LEASE] = refuse_busy,
                  [EV_CLIENT_GONE] = leased_client_gone,
                  [EV_SIGNAL] = entering_signal,
                  [EV_REVOKE] = leased_revoke,
                  [EV_RETIRE] = retire_later,
                  [EV_AUDIT] = show_state,
                  [EV_KEEP] = done,
                  [EV_ENTERED] = entering_entered,
                  [EV_FALLBACK] = entering_fallback,
                  [EV_JVM_GONE] = gone_before_entry,
                  [EV_DEADLINE] = overdue},
    [LEASED] = {[EV_LEASE] = refuse_busy,
                [EV_CLIENT_GONE] = leased_client_gone,
                [EV_SIGNAL] = leased_signal,
                [EV_REVOKE] = leased_revoke,
                [EV_RETIRE] = retire_later,
                [EV_AUDIT] = show_state,
                [EV_KEEP] = done,
                [EV_ENDING] = leased_ending,
                [EV_ENDED] = leased_ended,
                [EV_JVM_GONE] = leased_gone},
    [ENDING] = {[EV_LEASE] = refuse_busy,
                [EV_CLIENT_GONE] = nothing,
                [EV_SIGNAL] = nothing,
                [EV_REVOKE] = leased_revoke,
                [EV_RETIRE] = retire_later,
                [EV_AUDIT] = show_state,
                [EV_KEEP] = done,
                [EV_ENDED] = leased_ended,
                [EV_DOUBT] = ending_doubt,
                [EV_JVM_GONE] = ending_gone,
                [EV_DEADLINE] = overdue},
    [REVOKING] = {[EV_LEASE] = refuse_busy,
                  [EV_CLIENT_GONE] = nothing,
                  [EV_SIGNAL] = nothing,
                  [EV_REVOKE] = more_revoke,
                  [EV_RETIRE] = retire_later,
                  [EV_AUDIT] = show_state,
                  [EV_KEEP] = done,
                  [EV_ENTERED] = nothing,  // it crossed our REVOKE
                  [EV_ENDING] = nothing,
                  [EV_FALLBACK] = revoking_ended,
                  [EV_ENDED] = revoking_ended,
                  [EV_DOUBT] = ending_doubt,
                  [EV_JVM_GONE] = revoking_gone,
                  [EV_DEADLINE] = overdue},
    [RESETTING] = {[EV_LEASE] = refuse_busy,
                   [EV_CLIENT_GONE] = nothing,
                   [EV_SIGNAL] = nothing,
                   [EV_REVOKE] = done,
                   [EV_RETIRE] = retire_later,
                   [EV_AUDIT] = show_state,
                   [EV_KEEP] = done,
                   [EV_CLEAN] = resetting_clean,
                   [EV_DOUBT] = doubt,
                   [EV_JVM_GONE] = gone,
                   [EV_DEADLINE] = overdue},
    [RETIRING] = {[EV_LEASE] = refuse_retiring,
                  [EV_CLIENT_GONE] = nothing,
                  [EV_SIGNAL] = nothing,
                  [EV_REVOKE] = done,
                  [EV_RETIRE] = done,
                  [EV_AUDIT] = show_state,
                  [EV_KEEP] = done,
                  [EV_READY] = nothing,
                  [EV_CLEAN] = nothing,
                  [EV_DOUBT] = nothing,
                  [EV_AUDITED] = nothing,
                  [EV_JVM_GONE] = gone,
                  [EV_DEADLINE] = overdue},
};

void machine_start(struct keeper *k) {
  log_line(k, "started JVM %d", (int)k->jvm);
  k->since_ms = k->started_ms;
  k->since = k->started_at;
  k->deadline = monotonic_ms() + states[STARTING].deadline_ms;
}

void machine_event(struct keeper *k, enum event event, const struct occasion *occasion) {
  action *act = table[k->state][event];
  if (!act) {
    log_line(k, "event %s does not belong to state %s", event_names[event], states[k->state].name);
    act = violation;
  }
  act(k, occasion);
}
