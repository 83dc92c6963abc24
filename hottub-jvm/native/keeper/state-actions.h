// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_STATE_ACTIONS_H_
#define HOTTUB_STATE_ACTIONS_H_

// What a keeper does about an event, by the name of the state if it does it in one state only. The
// table (state-table.c) says which action belongs where.

#include "keeper.h"

typedef void action(struct keeper *k, const struct occasion *o);

action act_nothing, act_refuse_busy, act_refuse_retiring, act_done, act_show_state,
    act_starting_lease, act_starting_client_gone, act_starting_ready, act_starting_revoke,
    act_starting_retire, act_idle_lease, act_idle_retire, act_idle_keep, act_idle_audit,
    act_more_audit, act_idle_deadline, act_idle_scarcity, act_doubt, act_auditing_audited,
    act_retire_later, act_entering_entered, act_entering_fallback, act_entering_signal,
    act_leased_signal, act_leased_client_gone, act_leased_children, act_leased_watched,
    act_group_signal, act_alone, act_leased_revoke, act_more_revoke, act_leased_ended,
    act_leased_ending, act_ending_exiting, act_exiting_overdue, act_exiting_gone, act_ending_doubt,
    act_compiled, act_revoking_ended, act_resetting_clean, act_overdue, act_violation, act_gone,
    act_gone_before_entry, act_leased_gone, act_ending_gone, act_revoking_gone, act_auditing_gone,
    act_freezing_clone, act_freezing_cloned, act_template_clone, act_template_cloned,
    act_template_ran, act_template_retire, act_template_keep, act_template_deadline,
    act_template_scarcity;

#endif  // HOTTUB_STATE_ACTIONS_H_
