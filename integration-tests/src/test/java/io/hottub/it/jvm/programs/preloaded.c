// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Says that it is there.

#include <unistd.h>

__attribute__((constructor)) static void say(void) {
  if (write(2, "preloaded\n", 10) != 10) _exit(1);
}
