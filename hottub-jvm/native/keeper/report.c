// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "deadline.h"
#include "journal.h"
#include "json.h"
#include "standing.h"
#include "state.h"

static const char *or_null(const char *text) { return text && *text ? text : NULL; }

static void number_or_null(struct bytes *json, const char *key, int64_t number, bool known) {
  if (known) {
    json_number(json, key, number);
  } else {
    json_null(json, key);
  }
}

int64_t report_cpu_us(const struct keeper *k) {
  clockid_t clock;
  struct timespec used;
  if (k->jvm <= 0 || clock_getcpuclockid(k->jvm, &clock) != 0 || clock_gettime(clock, &used) != 0) {
    return -1;
  }
  return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

// CPU time of the JVM since its run began; the reset is part of it once it is over.
static int64_t lease_cpu_us(const struct keeper *k) {
  int64_t now = report_cpu_us(k);
  return now < 0 || k->run.cpu_before_us < 0 ? -1 : now - k->run.cpu_before_us;
}

static void add_identity(struct keeper *k, struct bytes *line) {
  json_number(line, "keeper_pid", getpid());
  json_text(line, "fingerprint", k->fingerprint);
  json_text(line, "main_class", or_null(k->run.main_class));
  json_text(line, "container_id", or_null(k->run.container_id));
  json_number(line, "run", k->runs);
}

void report_reset(struct keeper *k, const char *phases) {
  struct bytes line;
  journal_begin(&line, "reset");
  add_identity(k, &line);
  json_number(&line, "reset_us", k->reset_us_last);
  number_or_null(&line, "cpu_us", lease_cpu_us(k), lease_cpu_us(k) >= 0);
  number_or_null(&line, "revoked_signal", k->run.revoked_signal, k->run.revoked_signal != 0);
  json_key(&line, "phases");
  bytes_add_text(&line, phases[0] == '{' ? phases : "null");
  journal_append(k->user_dir, &line);
}

void report_end(struct keeper *k, bool retired) {
  struct bytes line;
  // Killed, by us or by its own fault, or ended before it could serve: what is wrong with this one
  // may be wrong with the next one of its kind. One that a run has ended (ExitOnOutOfMemoryError)
  // did what it was told.
  bool crashed = !retired && (WIFSIGNALED(k->jvm_status) || k->runs == 0);
  // As a process does, it ends by any signal that a run is sent.
  if (k->is_clone && k->run.revoked_signal) crashed = false;
  journal_begin(&line, crashed ? "crash" : "retired");
  add_identity(k, &line);
  json_text(&line, "reason", retired_word(k->retire_reason ? k->retire_reason : RETIRED_DIED));
  json_text(&line, "doubt", or_null(k->doubt));
  json_text(&line, "left_class", or_null(k->left_class));
  number_or_null(&line, "signal", WTERMSIG(k->jvm_status), WIFSIGNALED(k->jvm_status));
  // All of it was for the run.
  if (k->is_clone) json_number(&line, "cpu_us", k->jvm_cpu_us);
  json_number(&line, "lived_ms", monotonic_ms() - k->started_at);
  journal_append(k->user_dir, &line);
}

void report_state(struct keeper *k, struct connection *c) {
  bool leased = strcmp(state_shown(k->state), "LEASED") == 0;
  int64_t rss = standing_resident_kb(k), held = standing_held_kb(k);
  struct bytes json = {0};
  bytes_add_text(&json, "{");
  json_number(&json, "version", FRAME_VERSION);
  json_number(&json, "keeper_pid", getpid());
  number_or_null(&json, "jvm_pid", k->jvm, k->jvm > 0);
  json_text(&json, "state", state_shown(k->state));
  json_text(&json, "fingerprint", k->fingerprint);
  json_text(&json, "main_class", or_null(k->run.main_class));
  json_number(&json, "run", k->runs);
  json_number(&json, "runs_ok", k->runs_ok);
  number_or_null(&json, "client_pid", k->run.pid, leased && k->run.pid > 0);
  number_or_null(&json, "client_pgid", k->run.group, leased && k->run.group > 0);
  number_or_null(&json, "client_sid", k->run.session, leased && k->run.session > 0);
  number_or_null(&json, "lease_cpu_us", lease_cpu_us(k), leased && lease_cpu_us(k) >= 0);
  json_text(&json, "tenant", or_null(k->tenant));
  json_text(&json, "container_id", leased ? or_null(k->run.container_id) : NULL);
  json_number(&json, "since_ms", k->since_ms);
  number_or_null(&json, "idle_ms", monotonic_ms() - k->since, k->state == IDLE);
  json_number(&json, "started_ms", k->started_ms);
  json_number(&json, "age_ms", monotonic_ms() - k->started_at);
  number_or_null(&json, "reset_us_last", k->reset_us_last, k->reset_us_last >= 0);
  number_or_null(&json, "lease_us_last", k->lease_us_last, k->lease_us_last >= 0);
  json_text(&json, "retire_reason", retired_word(k->retire_reason));
  number_or_null(&json, "rss_kb", rss, rss >= 0);
  number_or_null(&json, "held_kb", held, held >= 0);
  bytes_add_text(&json, "}");
  if (!json.failed) connection_send_text(k, c, FRAME_STATE, json.data, json.length);
  bytes_free(&json);
}
