// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "keyrings.h"

#include <linux/keyctl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int which[] = {KEY_SPEC_PROCESS_KEYRING, KEY_SPEC_THREAD_KEYRING};

enum { KEYRINGS = sizeof which / sizeof *which };

static long at_start[KEYRINGS];

// Its number, or -1: there is none, or the kernel tells nobody.
static long keyring(int i) { return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, which[i], 0); }

void keyrings_remember(void) {
  for (int i = 0; i < KEYRINGS; i++) at_start[i] = keyring(i);
}

bool keyrings_are_as_before(struct doubt *doubt) {
  for (int i = 0; i < KEYRINGS; i++) {
    if (keyring(i) == at_start[i]) continue;
    doubt_because(doubt, DOUBT_THE_RUN_HAS_MADE_A_KEYRING_OF_ITS_PROCESS);
    return false;
  }
  return true;
}
