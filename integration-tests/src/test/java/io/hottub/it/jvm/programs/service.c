// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A library that nobody unloads, as services of the C library for names of users and hosts are, or
// what such a one is linked to.
int calls;

int service_call(void) { return ++calls; }
