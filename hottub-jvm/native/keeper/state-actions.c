// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "state-actions.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "children.h"
#include "clones.h"
#include "connection.h"
#include "counters.h"
#include "deadline.h"
#include "endpoint.h"
#include "generations.h"
#include "jvm.h"
#include "log.h"
#include "report.h"
#include "run.h"
#include "signals.h"
#include "standing.h"
#include "state.h"

// A client that has claimed the JVM offers it a run at once, unless it is stopped.
#define CLAIM_MAX_MS 500
// So does one that has asked for a clone and got it; but it may still be about to hear of it.
#define ASKER_MAX_MS 5000

// Functions for the end of a process that run beside threads that cannot go on.
#define STUCK_EXIT_MS 30000

static void end_run_as_revoked(struct keeper *k) {
  run_end(k, EXIT_SIGNAL, k->run.revoked_signal);
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
  jvm_say(k, CONTROL_RETIRE, retired_word(k->retire_reason));
  state_enter(k, RETIRING);
}

// Retires the idle JVM, unless a client has claimed it, or asked for it as a clone: then the run
// that is on its way goes first.
static void retire_unclaimed(struct keeper *k, enum retired_reason reason) {
  bool was_asked_for = k->is_clone && !k->made_ahead && k->runs == 0;
  if (k->claim_waited_for || (!was_asked_for && endpoint_claim(k))) {
    retire(k, reason);
    return;
  }
  k->claim_waited_for = true;
  k->deadline = monotonic_ms() + (was_asked_for ? ASKER_MAX_MS : CLAIM_MAX_MS);
}

static void begin_template(struct keeper *k) {
  // One that follows another leaves it the mark until it has a clone itself.
  if (!generations_follows(k) && !clones_begin(k)) {
    retire(k, RETIRED_SPARE);
  } else if (clones_request(k, -1, 0)) {
    k->ready_wanted = 1;
    state_enter(k, FREEZING);
  } else {
    retire(k, RETIRED_PROTOCOL);
  }
}

static void become_idle(struct keeper *k) {
  if (k->retire_after_lease) {
    retire(k, RETIRED_ASKED);
  } else if (clones_is_spare(k)) {
    retire(k, RETIRED_SPARE);
  } else if (k->may_freeze && clones_may_begin(k)) {
    begin_template(k);
  } else if (k->runs >= k->limits.max_leases) {
    retire(k, RETIRED_MAX_LEASES);
  } else if (counters_are_lost(k)) {
    retire(k, RETIRED_COUNTERS_LOST);
  } else {
    state_enter(k, IDLE);
    if (k->retire_after_lease) {
      retire_unclaimed(k, RETIRED_ASKED);
    } else if (standing_make_room(k)) {
      retire_unclaimed(k, RETIRED_ROOM);
    }
  }
}

// The run has not begun, and its client has been told or is gone.
static void drop_run(struct keeper *k) {
  k->run.client = NULL;
  run_forget_descriptors(k);
  run_leave(k);
  become_idle(k);
}

static void grant(struct keeper *k) {
  k->run.granted_us = monotonic_us();
  if (!run_join_cgroups(k)) {
    uint32_t reason = REFUSED_CGROUP;
    connection_send(k, k->run.client, FRAME_REFUSED, &reason, 1);
    drop_run(k);
    return;
  }
  k->runs++;
  k->run.cpu_before_us = report_cpu_us(k);
  uint64_t now = (uint64_t)k->run.granted_us;
  uint32_t isolation = k->is_clone ? ISOLATION_CLONE : ISOLATION_REUSE;
  uint32_t values[5] = {(uint32_t)k->jvm, k->runs, (uint32_t)now, (uint32_t)(now >> 32), isolation};
  connection_send(k, k->run.client, FRAME_GRANTED, values, 5);
  if (!k->run.client) {  // it went away just now
    k->runs--;
    drop_run(k);
    return;
  }
  counters_show(k);
  if (jvm_send_run(k) != 0) {
    jvm_kill(k, "it did not take the START message");
  }
  run_forget_descriptors(k);
  state_enter(k, ENTERING);
  if (k->made_ahead) clones_taken(k);
}

static void begin_revocation(struct keeper *k, uint32_t number) {
  k->run.revoked_signal = number;
  if (k->is_clone) {
    // A process that may end as one.
    jvm_signal(k, (int)number);
  } else {
    jvm_say(k, CONTROL_REVOKE, NULL);
  }
  // A stopped JVM could not obey.
  if (k->run.stopped) jvm_signal(k, SIGCONT);
  state_enter(k, REVOKING);
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
      connection_send(k, k->run.client, FRAME_STOPPED, &number, 1);
      return;
    default:
      begin_revocation(k, number);
  }
}

// ---- actions

void act_nothing(struct keeper *k, const struct occasion *o) {
  (void)k;
  (void)o;
}

void act_refuse_busy(struct keeper *k, const struct occasion *o) {
  uint32_t reason = REFUSED_BUSY;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
}

void act_refuse_retiring(struct keeper *k, const struct occasion *o) {
  uint32_t reason = REFUSED_RETIRING;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
}

void act_done(struct keeper *k, const struct occasion *o) {
  connection_send(k, o->connection, FRAME_DONE, NULL, 0);
}

void act_show_state(struct keeper *k, const struct occasion *o) { report_state(k, o->connection); }

static bool take_run(struct keeper *k, const struct occasion *o) {
  uint32_t reason = run_take(k, o->connection);
  if (reason == 0) return true;
  connection_send(k, o->connection, FRAME_REFUSED, &reason, 1);
  return false;
}

void act_starting_lease(struct keeper *k, const struct occasion *o) {
  if (k->run.client) {
    act_refuse_busy(k, o);
  } else {
    take_run(k, o);
  }
}

void act_starting_client_gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  run_forget_descriptors(k);
}

void act_starting_ready(struct keeper *k, const struct occasion *o) {
  counters_are_in(k, o->message->text);
  if (k->run.client) {
    grant(k);
  } else {
    become_idle(k);
  }
}

void act_starting_revoke(struct keeper *k, const struct occasion *o) {
  run_end(k, EXIT_SIGNAL, o->value);
  act_done(k, o);
}

void act_starting_retire(struct keeper *k, const struct occasion *o) {
  if (k->is_clone && !k->made_ahead) {
    act_retire_later(k, o);  // it ends with the run that it was made for
    return;
  }
  k->retire_reason = RETIRED_ASKED;
  run_end(k, EXIT_FALLBACK, 0);
  act_done(k, o);
  jvm_kill(k, "it is not wanted any more");
  state_enter(k, RETIRING);
}

void act_idle_lease(struct keeper *k, const struct occasion *o) {
  // It was idle when another JVM became the template.
  if (clones_is_spare(k)) {
    act_refuse_retiring(k, o);
    retire(k, RETIRED_SPARE);
    return;
  }
  if (counters_are_lost(k)) {
    act_refuse_retiring(k, o);
    retire(k, RETIRED_COUNTERS_LOST);
    return;
  }
  if (!take_run(k, o)) return;
  if (k->run_claim < 0) endpoint_claim(k);
  grant(k);
}

// Who sends the claim as well has made sure that nobody else gets the JVM: it ends to make room. A
// keeper that is not idle any more has let that claim pass by.
static bool take_claim_of(struct keeper *k, struct connection *c) {
  if (c->fd < 0 || c->reader.fd_count != 1) return false;
  run_take_claim(k, c->reader.fds[0]);
  c->reader.fd_count = 0;
  return true;
}

void act_idle_retire(struct keeper *k, const struct occasion *o) {
  bool for_room = take_claim_of(k, o->connection);
  act_done(k, o);
  if (for_room) {
    retire(k, RETIRED_ROOM);
    return;
  }
  k->retire_after_lease = true;
  if (!k->claim_waited_for) retire_unclaimed(k, RETIRED_ASKED);
}

// The pool service wants an idle JVM to live on. It has to say so again and again: without it, the
// JVM ends by itself.
void act_idle_keep(struct keeper *k, const struct occasion *o) {
  int64_t until = monotonic_ms() + (int64_t)o->value * 1000;
  if (!k->claim_waited_for) k->deadline = until;
  standing_kept(k, until);
  act_done(k, o);
  if (k->retire_after_lease && !k->claim_waited_for) retire_unclaimed(k, RETIRED_ASKED);
}

void act_idle_audit(struct keeper *k, const struct occasion *o) {
  if (!endpoint_claim(k)) {
    act_show_state(k, o);
    return;
  }
  o->connection->wants_audited = true;
  jvm_say(k, CONTROL_AUDIT, NULL);
  state_enter(k, AUDITING);
}

void act_more_audit(struct keeper *k, const struct occasion *o) {
  (void)k;
  o->connection->wants_audited = true;
}

void act_idle_deadline(struct keeper *k, const struct occasion *o) {
  (void)o;
  retire_unclaimed(k, k->retire_after_lease ? RETIRED_ASKED : RETIRED_IDLE);
}

void act_idle_scarcity(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (!k->claim_waited_for) retire_unclaimed(k, RETIRED_MEMORY);
}

static void doubt(struct keeper *k, const char *text) {
  log_line(k, "the JVM doubts its state: %.900s", text);
  // Zero before.
  memcpy(k->doubt, text, strnlen(text, sizeof k->doubt - 1));
  answer_audits(k, NULL);
  retire(k, RETIRED_DOUBT);
}

void act_doubt(struct keeper *k, const struct occasion *o) {
  const struct control_message *m = o->message;
  // Zero before.
  if (m->value < sizeof k->left_class && m->value <= m->text_length) {
    memcpy(k->left_class, m->text, m->value);
  }
  doubt(k, m->text);
}

void act_auditing_audited(struct keeper *k, const struct occasion *o) {
  answer_audits(k, o->message);
  become_idle(k);
}

void act_retire_later(struct keeper *k, const struct occasion *o) {
  k->retire_after_lease |= o->connection->reader.fd_count == 0;  // else only while it is idle
  act_done(k, o);
}

static bool is_signal(uint32_t number) { return number >= 1 && number <= SIGNALS_LAST; }

void act_entering_entered(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->lease_us_last = monotonic_us() - k->run.granted_us;
  state_enter(k, LEASED);
  connection_send(k, k->run.client, FRAME_ENTERED, NULL, 0);
  for (uint32_t number = 1; number <= SIGNALS_LAST && k->state == LEASED; number++) {
    if (k->run.signals & signals_bit((int)number)) deliver(k, number);
  }
}

void act_entering_fallback(struct keeper *k, const struct occasion *o) {
  log_line(k, "the JVM could not begin the run: %.300s", o->message->text);
  run_end(k, EXIT_FALLBACK, 0);
  state_enter(k, RESETTING);
}

void act_entering_signal(struct keeper *k, const struct occasion *o) {
  if (is_signal(o->value)) k->run.signals |= signals_bit((int)o->value);
}

void act_leased_signal(struct keeper *k, const struct occasion *o) {
  if (is_signal(o->value)) deliver(k, o->value);
}

void act_leased_children(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->run.has_children = true;
  connection_send(k, k->run.client, FRAME_CHILDREN, NULL, 0);
}

void act_leased_watched(struct keeper *k, const struct occasion *o) {
  k->run.watched = k->run.has_children && o->value;
  jvm_say(k, CONTROL_CHILDREN, NULL);
}

void act_group_signal(struct keeper *k, const struct occasion *o) {
  if (is_signal(o->value)) children_signal(k, (int)o->value);
}

void act_alone(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->run.watched = false;
}

void act_leased_client_gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  // With its witness, so with its group.
  if (k->run.watched) children_signal(k, SIGKILL);
  run_leave(k);
  begin_revocation(k, SIGKILL);
}

void act_leased_revoke(struct keeper *k, const struct occasion *o) {
  o->connection->wants_done = true;
  // It stands for SIGKILL to a whole container.
  if (k->run.has_children) children_signal(k, SIGKILL);
  begin_revocation(k, is_signal(o->value) ? o->value : SIGKILL);
}

void act_more_revoke(struct keeper *k, const struct occasion *o) {
  (void)k;
  o->connection->wants_done = true;
}

void act_compiled(struct keeper *k, const struct occasion *o) {
  k->compilations_last = (int)o->message->value;
}

void act_leased_ended(struct keeper *k, const struct occasion *o) {
  k->runs_ok++;
  run_end(k, EXIT_STATUS, o->message->value);
  state_enter(k, RESETTING);
}

void act_leased_ending(struct keeper *k, const struct occasion *o) {
  k->run.status = o->message->value;
  state_enter(k, ENDING);
}

// Native code of the run is called as at the end of a process: it may end it otherwise, and take
// any time.
void act_ending_exiting(struct keeper *k, const struct occasion *o) {
  (void)o;
  bool is_stuck = k->retire_reason == RETIRED_DOUBT;
  state_enter(k, EXITING);
  // Threads that have been held may have what such functions wait for.
  if (is_stuck) k->deadline = k->since + STUCK_EXIT_MS;
}

void act_exiting_overdue(struct keeper *k, const struct occasion *o) {
  k->run.is_overdue = true;
  act_overdue(k, o);
}

// It sends this instead of ENDED, and ends. The rest is that of any JVM that dies while it ends a
// run.
void act_ending_doubt(struct keeper *k, const struct occasion *o) {
  log_line(k, "the JVM cannot end the run: %.300s", o->message->text);
  if (!k->retire_reason) k->retire_reason = RETIRED_DOUBT;
}

void act_revoking_ended(struct keeper *k, const struct occasion *o) {
  (void)o;
  end_run_as_revoked(k);
  state_enter(k, RESETTING);
}

void act_resetting_clean(struct keeper *k, const struct occasion *o) {
  k->reset_us_last = (int64_t)o->message->a;
  k->compilations_last = (int)o->message->value - k->compilations;
  k->compilations = (int)o->message->value;
  report_reset(k, o->message->text);
  if (k->run.has_children && children_are_left(k)) {
    // The host program sees those of its own; these have lost their parents.
    doubt(k, DOUBT_A_CHILD_PROCESS_OF_THE_RUN_LIVES_ON);
    return;
  }
  become_idle(k);
}

void act_overdue(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (!k->retire_reason) k->retire_reason = RETIRED_DEADLINE;
  jvm_kill(k, "it missed a deadline");
  // Only the report of its death is left to wait for.
  k->deadline = k->answer_by = DEADLINE_NONE;
}

void act_violation(struct keeper *k, const struct occasion *o) {
  (void)o;
  if (!k->retire_reason) k->retire_reason = RETIRED_PROTOCOL;
  jvm_kill(k, "it sent a message that does not fit its state");
}

void act_gone(struct keeper *k, const struct occasion *o) {
  (void)o;
  k->finished = true;
}

// Before main was entered the client decides by its token whether it may run cold; for the case
// that it may not, the value says how the JVM died.
void act_gone_before_entry(struct keeper *k, const struct occasion *o) {
  run_end(k, EXIT_FALLBACK, (uint32_t)k->jvm_status);
  act_gone(k, o);
}

static void end_clone(struct keeper *k) {
  if (!k->is_clone) return;
  k->retire_reason = RETIRED_SERVED;
  clones_ran(k);
}

void act_leased_gone(struct keeper *k, const struct occasion *o) {
  if (WIFSIGNALED(k->jvm_status)) {
    run_end(k, EXIT_SIGNAL, (uint32_t)WTERMSIG(k->jvm_status));
  } else {
    run_end(k, EXIT_STATUS, (uint32_t)WEXITSTATUS(k->jvm_status));
  }
  end_clone(k);
  act_gone(k, o);
}

// A stock JVM would have ended with that status, whatever its other threads were doing.
void act_ending_gone(struct keeper *k, const struct occasion *o) {
  run_end(k, EXIT_STATUS, k->run.status);
  act_gone(k, o);
}

void act_exiting_gone(struct keeper *k, const struct occasion *o) {
  if (k->run.is_overdue) {
    act_ending_gone(k, o);
  } else {
    act_leased_gone(k, o);
  }
}

void act_revoking_gone(struct keeper *k, const struct occasion *o) {
  end_run_as_revoked(k);
  end_clone(k);
  act_gone(k, o);
}

void act_auditing_gone(struct keeper *k, const struct occasion *o) {
  answer_audits(k, NULL);
  act_gone(k, o);
}

// ---- of a template

// For a client, which is at the other end of a connection that comes with it, or, -1, for the next
// one.
static int asker(const struct connection *c) {
  return c->fd >= 0 && c->reader.fd_count == 1 ? c->reader.fds[0] : -1;
}

void act_freezing_clone(struct keeper *k, const struct occasion *o) {
  int connection = asker(o->connection);
  if (clones_ask_later(k, connection) && connection >= 0) o->connection->reader.fd_count = 0;
}

// A client that has waited in vain takes the mark away.
static void stay_template(struct keeper *k) {
  if (clones_begin(k)) {
    generations_succeed(k);
  } else {
    retire(k, RETIRED_SPARE);
  }
}

void act_freezing_cloned(struct keeper *k, const struct occasion *o) {
  clones_answered(k);
  if (o->message->value == CLONED_BEGUN) {
    state_enter(k, TEMPLATE);
    clones_serve_askers(k);
    if (k->retire_after_lease) {
      retire(k, RETIRED_ASKED);
    } else {
      stay_template(k);
    }
    return;
  }
  clones_give_up_askers(k);
  log_line(k, "no template: %.300s", o->message->text);
  if (o->message->value == CLONED_REFUSED) {
    clones_refused(k, o->message->text);
  } else {
    k->may_freeze = false;
  }
  clones_end(k);
  if (!k->may_freeze && generations_follows(k)) {
    retire(k, RETIRED_SPARE);
  } else {
    become_idle(k);
  }
}

void act_template_clone(struct keeper *k, const struct occasion *o) {
  k->deadline = monotonic_ms() + (int64_t)k->limits.idle_seconds * 1000;
  // A client sees its connection end, and runs cold.
  if (!clones_are_refused(k)) clones_serve(k, asker(o->connection));
}

void act_template_cloned(struct keeper *k, const struct occasion *o) {
  clones_answered(k);
  if (o->message->value != CLONED_BEGUN) clones_refused(k, o->message->text);
  stay_template(k);
}

void act_template_ran(struct keeper *k, const struct occasion *o) { generations_ran(k, o->value); }

void act_template_retire(struct keeper *k, const struct occasion *o) {
  act_done(k, o);
  retire(k, RETIRED_ASKED);
}

void act_template_keep(struct keeper *k, const struct occasion *o) {
  int64_t until = monotonic_ms() + (int64_t)o->value * 1000;
  if (until > k->deadline) k->deadline = until;
  act_done(k, o);
}

void act_template_deadline(struct keeper *k, const struct occasion *o) {
  if (k->answer_by <= monotonic_ms()) {
    act_overdue(k, o);
  } else {
    retire(k, RETIRED_IDLE);
  }
}

void act_template_scarcity(struct keeper *k, const struct occasion *o) {
  (void)o;
  retire(k, RETIRED_MEMORY);
}
