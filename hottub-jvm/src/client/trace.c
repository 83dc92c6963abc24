// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "deadline.h"
#include "json.h"

static int64_t began_us;
static const char *of_fingerprint;

void trace_begin(void) { began_us = monotonic_us(); }

void trace_fingerprint(const char *fingerprint) { of_fingerprint = fingerprint; }

static void write_line(const char *reason, int64_t jvm_pid, int64_t run) {
  const char *path = getenv("HOTTUB_TRACE");
  if (!path || !*path) return;
  struct bytes line = {0};
  bytes_add_text(&line, "{");
  json_text(&line, "served", reason ? "cold" : "pool");
  json_text(&line, "reason", reason);
  if (reason) {
    json_null(&line, "jvm_pid");
    json_null(&line, "lease_us");
  } else {
    json_number(&line, "jvm_pid", jvm_pid);
    json_number(&line, "lease_us", monotonic_us() - began_us);
  }
  json_text(&line, "fingerprint", of_fingerprint);
  if (reason) {
    json_null(&line, "run");
  } else {
    json_number(&line, "run", run);
  }
  bytes_add_text(&line, "}\n");
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  // A trace that cannot be written is no reason to disturb the run.
  if (fd >= 0 && !line.failed && write(fd, line.data, line.length) < 0) {
  }
  if (fd >= 0) close(fd);
  bytes_free(&line);
}

void trace_cold(const char *reason) { write_line(reason, 0, 0); }

void trace_pool(int64_t jvm_pid, int64_t run) { write_line(NULL, jvm_pid, run); }
