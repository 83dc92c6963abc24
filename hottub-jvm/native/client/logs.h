// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_LOGS_H_
#define HOTTUB_LOGS_H_

// Which logs of the VM a pooled JVM can write as a stock JVM does.

#include <stdbool.h>

// Whether the option is -verbose:gc, an -Xlog, or what was before -Xlog, that HotTubRunLogs can
// open for one run: all that a stock JVM would log before main is known, the option is right in all
// its parts, and its file can be opened from here. Everything else is for the stock JVM, which also
// says what is wrong.
bool logs_are_pooled(const char *option);

#endif  // HOTTUB_LOGS_H_
