// Copyright 2026 The HotTub Authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "json.h"
#include "keeper.h"

static int64_t resident_kb(pid_t pid) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return -1;
  text[length] = '\0';
  long long size, resident;
  if (sscanf(text, "%lld %lld", &size, &resident) != 2) return -1;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static const char *or_null(const char *text) { return text && *text ? text : NULL; }

static void number_or_null(struct bytes *json, const char *key, int64_t number, bool known) {
  if (known) {
    json_number(json, key, number);
  } else {
    json_null(json, key);
  }
}

void report_state(struct keeper *k, struct connection *c) {
  bool leased = strcmp(machine_state_name(k->state), "LEASED") == 0;
  int64_t rss = resident_kb(k->jvm);
  struct bytes json = {0};
  bytes_add_text(&json, "{");
  json_number(&json, "version", FRAME_VERSION);
  json_number(&json, "keeper_pid", getpid());
  number_or_null(&json, "jvm_pid", k->jvm, k->jvm > 0);
  json_text(&json, "state", machine_state_name(k->state));
  json_text(&json, "fingerprint", k->fingerprint);
  json_text(&json, "main_class", or_null(k->run.main_class));
  json_number(&json, "run", k->runs);
  json_number(&json, "runs_ok", k->runs_ok);
  number_or_null(&json, "client_pid", k->run.pid, leased && k->run.pid > 0);
  number_or_null(&json, "client_pgid", k->run.group, leased && k->run.group > 0);
  number_or_null(&json, "client_sid", k->run.session, leased && k->run.session > 0);
  json_text(&json, "container_id", leased ? or_null(k->run.container_id) : NULL);
  json_number(&json, "since_ms", k->since_ms);
  number_or_null(&json, "idle_ms", wall_clock_ms() - k->since_ms, k->state == IDLE);
  json_number(&json, "started_ms", k->started_ms);
  number_or_null(&json, "reset_us_last", k->reset_us_last, k->reset_us_last >= 0);
  number_or_null(&json, "lease_us_last", k->lease_us_last, k->lease_us_last >= 0);
  json_text(&json, "retire_reason", k->retire_reason);
  number_or_null(&json, "rss_kb", rss, rss >= 0);
  bytes_add_text(&json, "}");
  if (!json.failed) connection_send_text(k, c, FRAME_STATE, json.data, json.length);
  bytes_free(&json);
}
