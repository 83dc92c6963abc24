// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_JOURNAL_H_
#define HOTTUB_JOURNAL_H_

// The journal of a user's pool: one line of JSON for each run, reset, and end of a JVM. It is there
// only where somebody reads it: the pool service makes the file, and takes it away when it is full.
// docs/protocol.md, "Journal".

#include "bytes.h"

// Opens a line for an event: the time and the word. The caller adds members.
void journal_begin(struct bytes *line, const char *event);

// Ends the line, appends it in one write, and frees it. What cannot be written is lost: a journal
// must not disturb a run.
void journal_append(int user_dir, struct bytes *line);

#endif  // HOTTUB_JOURNAL_H_
