// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_REASON_H_
#define HOTTUB_REASON_H_

// Why a run is cold, a JVM retires, a lease is refused or a reset is doubted: the names are made
// of reasons.tsv, by reasons.awk, when the programs are built.

#include "reasons.h"

// The word for journal, trace and log; NULL for COLD_NONE and RETIRED_NONE.
const char *cold_word(enum cold_reason reason);
const char *retired_word(enum retired_reason reason);

#endif  // HOTTUB_REASON_H_
