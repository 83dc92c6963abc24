// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A library with variables of threads for which the dynamic linker has little room.

static __thread char variables[300] __attribute__((tls_model("initial-exec")));

int state_touch(void) { return ++variables[7]; }
