// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_STATE_TABLE_H_
#define HOTTUB_STATE_TABLE_H_

// The keeper as a table: state x event -> action.

#include "keeper.h"

// The JVM has just been started.
void table_begin(struct keeper *k);

void table_event(struct keeper *k, enum event event, const struct occasion *occasion);

#endif  // HOTTUB_STATE_TABLE_H_
