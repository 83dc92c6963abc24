// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubLog.hpp"
#include "logging/log.hpp"
#include "runtime/os.hpp"

static int _lease = 0;
static jlong _begin = 0;
static jlong _end = 0;  // of the run: from here on the JVM is reset

static long us_since(jlong time) { return (long)((os::javaTimeNanos() - time) / 1000); }

void HotTubLog::lease_begins() {
  _lease++;
  _begin = os::javaTimeNanos();
  log_info(hottub)("lease %d begins", _lease);
}

void HotTubLog::main_is_entered() {
  log_info(hottub)("lease %d: main entered after %ld us", _lease, us_since(_begin));
}

void HotTubLog::run_has_ended(int status) {
  _end = os::javaTimeNanos();
  log_info(hottub)("lease %d: run ended with status %d after %ld us", _lease, status,
                   us_since(_begin));
}

void HotTubLog::threads_have_ended() {
  log_info(hottub)("lease %d: threads ended in %ld us", _lease, us_since(_end));
}

void HotTubLog::outcome(const char* retire_reason) {
  if (retire_reason == NULL) {
    log_info(hottub)("lease %d: idle, %ld us after the run", _lease, us_since(_end));
  } else {
    log_info(hottub)("retires after %d leases: %s", _lease, retire_reason);
  }
}
