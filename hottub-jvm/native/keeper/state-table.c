// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "state-table.h"

#include "log.h"
#include "state-actions.h"
#include "state.h"

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

// An empty cell is a message that the JVM must not send in that state.
static action *const table[STATE_COUNT][EVENT_COUNT] = {
    [STARTING] = {[EV_LEASE] = act_starting_lease,
                  [EV_CLIENT_GONE] = act_starting_client_gone,
                  [EV_SIGNAL] = act_entering_signal,
                  [EV_REVOKE] = act_starting_revoke,
                  [EV_RETIRE] = act_starting_retire,
                  [EV_AUDIT] = act_show_state,
                  [EV_KEEP] = act_done,
                  [EV_READY] = act_starting_ready,
                  [EV_JVM_GONE] = act_gone_before_entry,
                  [EV_DEADLINE] = act_overdue},
    [IDLE] = {[EV_LEASE] = act_idle_lease,
              [EV_CLIENT_GONE] = act_nothing,
              [EV_SIGNAL] = act_nothing,
              [EV_REVOKE] = act_done,
              [EV_RETIRE] = act_idle_retire,
              [EV_AUDIT] = act_idle_audit,
              [EV_KEEP] = act_idle_keep,
              [EV_DOUBT] = act_doubt,
              [EV_JVM_GONE] = act_gone,
              [EV_DEADLINE] = act_idle_deadline},
    [AUDITING] = {[EV_LEASE] = act_refuse_busy,
                  [EV_CLIENT_GONE] = act_nothing,
                  [EV_SIGNAL] = act_nothing,
                  [EV_REVOKE] = act_done,
                  [EV_RETIRE] = act_retire_later,
                  [EV_AUDIT] = act_more_audit,
                  [EV_KEEP] = act_done,
                  [EV_AUDITED] = act_auditing_audited,
                  [EV_DOUBT] = act_doubt,
                  [EV_JVM_GONE] = act_auditing_gone,
                  [EV_DEADLINE] = act_overdue},
    [ENTERING] = {[EV_LEASE] = act_refuse_busy,
                  [EV_CLIENT_GONE] = act_leased_client_gone,
                  [EV_SIGNAL] = act_entering_signal,
                  [EV_REVOKE] = act_leased_revoke,
                  [EV_RETIRE] = act_retire_later,
                  [EV_AUDIT] = act_show_state,
                  [EV_KEEP] = act_done,
                  [EV_ENTERED] = act_entering_entered,
                  [EV_FALLBACK] = act_entering_fallback,
                  [EV_JVM_GONE] = act_gone_before_entry,
                  [EV_DEADLINE] = act_overdue},
    [LEASED] = {[EV_LEASE] = act_refuse_busy,
                [EV_CLIENT_GONE] = act_leased_client_gone,
                [EV_SIGNAL] = act_leased_signal,
                [EV_REVOKE] = act_leased_revoke,
                [EV_RETIRE] = act_retire_later,
                [EV_AUDIT] = act_show_state,
                [EV_KEEP] = act_done,
                [EV_ENDING] = act_leased_ending,
                [EV_ENDED] = act_leased_ended,
                [EV_JVM_GONE] = act_leased_gone},
    [ENDING] = {[EV_LEASE] = act_refuse_busy,
                [EV_CLIENT_GONE] = act_nothing,
                [EV_SIGNAL] = act_nothing,
                [EV_REVOKE] = act_leased_revoke,
                [EV_RETIRE] = act_retire_later,
                [EV_AUDIT] = act_show_state,
                [EV_KEEP] = act_done,
                [EV_ENDED] = act_leased_ended,
                [EV_DOUBT] = act_ending_doubt,
                [EV_JVM_GONE] = act_ending_gone,
                [EV_DEADLINE] = act_overdue},
    [REVOKING] = {[EV_LEASE] = act_refuse_busy,
                  [EV_CLIENT_GONE] = act_nothing,
                  [EV_SIGNAL] = act_nothing,
                  [EV_REVOKE] = act_more_revoke,
                  [EV_RETIRE] = act_retire_later,
                  [EV_AUDIT] = act_show_state,
                  [EV_KEEP] = act_done,
                  [EV_ENTERED] = act_nothing,  // it crossed our REVOKE
                  [EV_ENDING] = act_nothing,
                  [EV_FALLBACK] = act_revoking_ended,
                  [EV_ENDED] = act_revoking_ended,
                  [EV_DOUBT] = act_ending_doubt,
                  [EV_JVM_GONE] = act_revoking_gone,
                  [EV_DEADLINE] = act_overdue},
    [RESETTING] = {[EV_LEASE] = act_refuse_busy,
                   [EV_CLIENT_GONE] = act_nothing,
                   [EV_SIGNAL] = act_nothing,
                   [EV_REVOKE] = act_done,
                   [EV_RETIRE] = act_retire_later,
                   [EV_AUDIT] = act_show_state,
                   [EV_KEEP] = act_done,
                   [EV_CLEAN] = act_resetting_clean,
                   [EV_DOUBT] = act_doubt,
                   [EV_JVM_GONE] = act_gone,
                   [EV_DEADLINE] = act_overdue},
    [RETIRING] = {[EV_LEASE] = act_refuse_retiring,
                  [EV_CLIENT_GONE] = act_nothing,
                  [EV_SIGNAL] = act_nothing,
                  [EV_REVOKE] = act_done,
                  [EV_RETIRE] = act_done,
                  [EV_AUDIT] = act_show_state,
                  [EV_KEEP] = act_done,
                  [EV_READY] = act_nothing,
                  [EV_CLEAN] = act_nothing,
                  [EV_DOUBT] = act_nothing,
                  [EV_AUDITED] = act_nothing,
                  [EV_JVM_GONE] = act_gone,
                  [EV_DEADLINE] = act_overdue},
};

static void client_gone(struct keeper *k) { table_event(k, EV_CLIENT_GONE, &(struct occasion){0}); }

void table_begin(struct keeper *k) {
  k->client_gone = client_gone;
  state_begin(k);
}

void table_event(struct keeper *k, enum event event, const struct occasion *occasion) {
  action *act = table[k->state][event];
  if (!act) {
    log_line(k, "event %s does not belong to state %s", event_names[event], state_name(k->state));
    act = act_violation;
  }
  act(k, occasion);
}
