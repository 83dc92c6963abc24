// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "journal.h"
#include "json.h"
#include "pool-root.h"

static int64_t began_us, decided_us, granted_us;
static bool decided;
static const char *of_fingerprint;
static const char *of_main;
static int journal_dir = -1;
static enum isolation asked_isolation;

void trace_begin(void) { began_us = monotonic_us(); }

void trace_granted(int64_t at_us) {
  int64_t now = monotonic_us();
  granted_us = (at_us >= began_us && at_us <= now ? at_us : now) - began_us;
  if (!decided) decided_us = granted_us;
}

void trace_decided(void) {
  decided_us = monotonic_us() - began_us;
  decided = true;
}

void trace_undecided(void) { decided = false; }

void trace_fingerprint(const char *fingerprint) { of_fingerprint = fingerprint; }

void trace_main(const char *main) { of_main = main; }

void trace_isolation(enum isolation isolation) { asked_isolation = isolation; }

void trace_journal(int user_dir) { journal_dir = user_dir; }

struct served {
  const char *reason;  // NULL: by the pool
  int64_t jvm_pid, run, lease_us;
  enum isolation isolation;
};

static void add_members(struct bytes *line, const struct served *served) {
  json_text(line, "served", served->reason ? "cold" : "pool");
  json_text(line, "reason", served->reason);
  if (served->reason) {
    json_null(line, "jvm_pid");
    json_null(line, "lease_us");
  } else {
    json_number(line, "jvm_pid", served->jvm_pid);
    json_number(line, "lease_us", served->lease_us);
  }
  json_number(line, "decided_us", decided_us);
  if (served->reason) {
    json_null(line, "granted_us");
  } else {
    json_number(line, "granted_us", granted_us);
  }
  json_text(line, "fingerprint", of_fingerprint);
  bool is_clone = served->isolation == ISOLATION_CLONE;
  const char *clone = asked_isolation == ISOLATION_STRICT ? "strict" : "clone";
  json_text(line, "isolation", served->reason ? NULL : is_clone ? clone : "reuse");
  // Somebody has trained the JVM: runs before this one, or in the template.
  json_bool(line, "warm", !served->reason && (is_clone || served->run > 1));
  if (served->reason) {
    json_null(line, "run");
  } else {
    json_number(line, "run", served->run);
  }
}

static void write_trace(const struct served *served) {
  const char *path = getenv("HOTTUB_TRACE");
  if (!path || !*path) return;
  struct bytes line = {0};
  bytes_add_text(&line, "{");
  add_members(&line, served);
  bytes_add_text(&line, "}\n");
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  // A trace that cannot be written is no reason to disturb the run.
  if (fd >= 0 && !line.failed && write(fd, line.data, line.length) < 0) {
  }
  if (fd >= 0) close(fd);
  bytes_free(&line);
}

static void write_journal(const struct served *served) {
  if (journal_dir < 0) return;
  struct bytes line;
  journal_begin(&line, "run");
  json_number(&line, "client_pid", getpid());
  json_text(&line, "container_id", getenv("CONTAINER_ID"));
  json_text(&line, "main_class", of_main);
  add_members(&line, served);
  journal_append(journal_dir, &line);
}

void trace_cold(enum cold_reason reason) {
  struct served served = {.reason = cold_word(reason)};
  decided_us = monotonic_us() - began_us;
  write_trace(&served);
  // A user who asks for a cold run misses nothing; what is cold before the pool was looked for is
  // counted in the pool that it would have been.
  if (reason == COLD_OFF) return;
  if (journal_dir < 0) journal_dir = pool_root_peek();
  write_journal(&served);
}

void trace_pool(int64_t jvm_pid, int64_t run, enum isolation isolation) {
  struct served served = {.jvm_pid = jvm_pid,
                          .run = run,
                          .isolation = isolation,
                          .lease_us = monotonic_us() - began_us};
  write_trace(&served);
  write_journal(&served);
}
