// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CLIENT_TEMPLATE_H_
#define HOTTUB_CLIENT_TEMPLATE_H_

#include <stdbool.h>
#include <stdint.h>

// Asks a template of that fingerprint, if there is one, for a clone whose keeper gets `connection`.
// The pid of the template's keeper if it was asked, and then connection is closed here; else 0.
int32_t template_ask(int user_dir, const char *fingerprint, int connection);

bool template_is_there(int user_dir, const char *fingerprint);

// The template of that keeper does not answer: takes its mark away, so that no other run waits for
// it. When it answers, its keeper puts the mark back.
void template_forget(int user_dir, const char *fingerprint, int32_t keeper);

#endif  // HOTTUB_CLIENT_TEMPLATE_H_
