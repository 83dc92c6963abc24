// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_CLIENT_TEMPLATE_H_
#define HOTTUB_CLIENT_TEMPLATE_H_

#include <stdbool.h>

// Asks a template of that fingerprint, if there is one, for a clone whose keeper gets `connection`.
// True if it was asked, and then connection is closed here.
bool clone_of_template(int user_dir, const char *fingerprint, int connection);

#endif  // HOTTUB_CLIENT_TEMPLATE_H_
