// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "run.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "cgroup.h"
#include "connection.h"
#include "counters.h"
#include "deadline.h"
#include "fdpass.h"
#include "handover.h"
#include "lease.h"
#include "log.h"

#define LEASE_FIXED_BYTES 16

static bool duplicate_or_reserved(const struct keeper *k, const struct run *run) {
  for (uint32_t i = 0; i < run->target_count; i++) {
    uint32_t target = get_u32(run->targets + 4 * i);
    if (target >= (uint32_t)k->control_number) return true;
    for (uint32_t j = 0; j < i; j++) {
      if (get_u32(run->targets + 4 * j) == target) return true;
    }
  }
  return false;
}

static void copy_name(char *to, const char *from) {
  to[0] = '\0';
  if (from) strncat(to, from, NAME_CHARS - 1);
}

void run_take_claim(struct keeper *k, int claim) {
  if (k->run_claim >= 0) close(k->run_claim);
  k->run_claim = claim;
}

// Parsed here only to name the run in STATE, and so that the JVM is never handed a malformed one.
static uint32_t read_block(struct keeper *k, struct run *run) {
  struct lease lease;
  char err[128];
  if (lease_read(run->fds[0], run->block_length, &lease, err, sizeof err) != 0) {
    log_line(k, "refused a lease of process %d: %s", (int)run->pid, err);
    return REFUSED_MALFORMED;
  }
  if (k->for_recipes && !k->is_clone &&
      !lease_is_training(lease_list_value(&lease.env, LEASE_TRAINING))) {
    lease_free(&lease);
    return REFUSED_UNTRAINED;
  }
  copy_name(run->main_class, lease.main);
  copy_name(run->container_id, lease_list_value(&lease.env, "CONTAINER_ID"));
  copy_name(k->tenant, lease_list_value(&lease.env, "HOTTUB_TENANT"));
  lease_free(&lease);
  return 0;
}

uint32_t run_take(struct keeper *k, struct connection *c) {
  struct run run = {.client = c, .pid = c->pid};
  uint32_t length = frame_length(&c->reader);
  if (length < LEASE_FIXED_BYTES) return REFUSED_MALFORMED;
  const uint8_t *payload = c->reader.payload;
  run.target_count = get_u32(payload + 4);
  run.block_length = get_u64(payload + 8);
  if (run.target_count > MAX_RUN_DESCRIPTORS ||
      length != LEASE_FIXED_BYTES + 4 * run.target_count || c->reader.fd_count == 0) {
    return REFUSED_MALFORMED;
  }
  memcpy(run.targets, payload + LEASE_FIXED_BYTES, 4 * run.target_count);
  if (duplicate_or_reserved(k, &run)) return REFUSED_DESCRIPTOR_CONFLICT;

  run.fd_count = CONTROL_MAX_DESCRIPTORS;
  bool taken = handover_take(c->reader.fds[0], run.fds, &run.fd_count);
  uint32_t refused =
      !taken || run.fd_count != run.target_count + 2 ? REFUSED_MALFORMED : read_block(k, &run);
  if (refused) {
    if (taken) fdpass_close(run.fds, run.fd_count);
    return refused;
  }

  // A client of another pid namespace has no number here.
  if (c->pid > 0) {
    run.group = getpgid(c->pid);
    run.session = getsid(c->pid);
  }
  // Whatever the client sent as its token, reading it must not make the JVM wait.
  fcntl(run.fds[1], F_SETFL, O_NONBLOCK);
  if (c->reader.fd_count > 1) {
    run_take_claim(k, c->reader.fds[1]);
    c->reader.fd_count = 1;
  }
  c->deadline = DEADLINE_NONE;
  k->run = run;
  return 0;
}

void run_forget_descriptors(struct keeper *k) {
  fdpass_close(k->run.fds, k->run.fd_count);
  k->run.fd_count = 0;
}

bool run_join_cgroups(struct keeper *k) {
  int failed;
  if (k->run.pid <= 0) return true;  // of another pid namespace: it is not ours to lead
  if (cgroup_follow(k->jvm, k->run.pid, &failed) > 0) k->apart_from_jvm = true;
  if (failed == 0) return true;
  struct bytes limits = {0};
  bool limited = cgroup_limits(k->run.pid, &limits);
  bytes_free(&limits);
  return !limited;
}

void run_leave(struct keeper *k) {
  counters_hide(k);
  int failed = 0;
  if (!k->apart_from_jvm || k->jvm <= 0) return;
  k->apart_from_jvm = false;
  cgroup_follow(k->jvm, getpid(), &failed);
  if (failed > 0) log_line(k, "the JVM stays in %d control groups of its last run", failed);
}

void run_end(struct keeper *k, enum frame_exit_kind kind, uint32_t value) {
  struct connection *client = k->run.client;
  k->run.client = NULL;
  run_forget_descriptors(k);
  run_leave(k);
  if (!client) return;
  uint32_t values[2] = {kind, value};
  connection_answered(client);
  connection_send(k, client, FRAME_EXIT, values, 2);
}
