// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "state.h"

#include "deadline.h"
#include "endpoint.h"
#include "log.h"
#include "standing.h"

static const struct {
  const char *name;     // in the log
  const char *shown;    // in STATE
  int64_t deadline_ms;  // 0: none, or set by the transition
} states[STATE_COUNT] = {
    [STARTING] = {"STARTING", "STARTING", 30000},
    [IDLE] = {"IDLE", "IDLE", 0},
    [AUDITING] = {"AUDITING", "IDLE", 10000},
    [ENTERING] = {"ENTERING", "LEASED", 5000},
    [LEASED] = {"LEASED", "LEASED", 0},
    [ENDING] = {"ENDING", "LEASED", 2000},
    [EXITING] = {"EXITING", "LEASED", 0},
    [REVOKING] = {"REVOKING", "LEASED", 2000},
    [RESETTING] = {"RESETTING", "RESETTING", 10000},
    [FREEZING] = {"FREEZING", "TEMPLATE", 10000},
    [TEMPLATE] = {"TEMPLATE", "TEMPLATE", 0},
    [RETIRING] = {"RETIRING", "RETIRING", 2000},
};

const char *state_name(enum state state) { return states[state].name; }

const char *state_shown(enum state state) { return states[state].shown; }

void state_begin(struct keeper *k) {
  log_line(k, "started JVM %d", (int)k->jvm);
  k->since_ms = k->started_ms;
  k->since = k->started_at;
  k->deadline = monotonic_ms() + states[STARTING].deadline_ms;
}

void state_enter(struct keeper *k, enum state state) {
  log_line(k, "%s -> %s (run %u)", states[k->state].name, states[state].name, k->runs);
  k->state = state;
  k->since_ms = wall_clock_ms();
  k->since = monotonic_ms();
  bool rests = state == IDLE || state == TEMPLATE;
  int64_t wait = rests ? (int64_t)k->limits.idle_seconds * 1000 : states[state].deadline_ms;
  k->deadline = wait ? k->since + wait : DEADLINE_NONE;
  k->claim_waited_for = false;
  // Before anybody can claim it.
  if (state == IDLE) standing_idle(k);
  if (state == RETIRING) standing_end(k);
  endpoint_show(k, state == IDLE);
}
