// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bytes.h"
#include "deadline.h"
#include "fdpass.h"
#include "keeper.h"
#include "lease.h"

#define LEASE_FIXED_BYTES 16

static struct connection *free_slot(struct keeper *k) {
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    if (k->connections[i].fd < 0) return &k->connections[i];
  }
  return NULL;
}

struct connection *connection_add(struct keeper *k, int fd) {
  struct connection *c = free_slot(k);
  int32_t pid = 0;
  if (!c || !pool_peer_is_own(fd, &pid)) {
    if (c) log_line(k, "refused a connection of another user");
    close(fd);
    return NULL;
  }
  *c = (struct connection){.fd = fd, .pid = pid};
  connection_answered(c);
  return c;
}

// Bounded by the number of slots, so that a flood of connections cannot keep us from the JVM.
static struct connection *accept_next(struct keeper *k, int listener, int *tries) {
  while ((*tries)++ < MAX_CONNECTIONS) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return NULL;
    struct connection *c = connection_add(k, fd);
    if (c) return c;
  }
  return NULL;
}

void connection_accept_offers(struct keeper *k) {
  struct connection *c;
  int tries = 0;
  // Whoever offers a run has sent it already.
  while ((c = accept_next(k, k->offers, &tries))) connection_readable(k, c);
}

void connection_accept_wakers(struct keeper *k) {
  int fd;
  // They have nothing to say.
  for (int i = 0; i < MAX_CONNECTIONS; i++) {
    fd = accept4(k->wake, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    close(fd);
  }
}

void connection_accept(struct keeper *k) {
  int tries = 0;
  while (accept_next(k, k->listener, &tries)) {
  }
}

void connection_close(struct keeper *k, struct connection *c) {
  if (c->fd < 0) return;
  frame_reader_reset(&c->reader);
  close(c->fd);
  c->fd = -1;
  if (k->run.client == c) {
    k->run.client = NULL;
    machine_event(k, EV_CLIENT_GONE, &(struct occasion){0});
  }
}

void connection_answered(struct connection *c) { c->deadline = monotonic_ms() + FRAME_DEADLINE_MS; }

void connection_expire(struct keeper *k) {
  int64_t now = monotonic_ms();
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    struct connection *c = &k->connections[i];
    if (c->fd >= 0 && c->deadline <= now) connection_close(k, c);
  }
}

void connection_send_text(struct keeper *k, struct connection *c, enum frame_type type,
                          const void *text, size_t length) {
  if (!c || c->fd < 0) return;
  if (frame_write(c->fd, type, text, (uint32_t)length, NULL, 0, 0) != 0) connection_close(k, c);
}

void connection_send(struct keeper *k, struct connection *c, enum frame_type type,
                     const uint32_t *values, size_t count) {
  if (!c || c->fd < 0) return;
  if (frame_write_u32(c->fd, type, values, count, 0) != 0) connection_close(k, c);
}

static void refuse(struct keeper *k, struct connection *c, uint32_t reason) {
  connection_send(k, c, FRAME_REFUSED, &reason, 1);
}

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

static void take_claim(struct keeper *k, int claim) {
  if (k->run_claim >= 0) close(k->run_claim);
  k->run_claim = claim;
}

uint32_t connection_take_run(struct keeper *k, struct connection *c) {
  struct run run = {.client = c, .pid = c->pid};
  uint32_t length = frame_length(&c->reader);
  if (length < LEASE_FIXED_BYTES) return REFUSED_MALFORMED;
  const uint8_t *payload = c->reader.payload;
  run.target_count = get_u32(payload + 4);
  run.block_length = get_u64(payload + 8);
  if (run.target_count > MAX_RUN_DESCRIPTORS ||
      length != LEASE_FIXED_BYTES + 4 * run.target_count ||
      c->reader.fd_count < run.target_count + 2 || c->reader.fd_count > run.target_count + 3) {
    return REFUSED_MALFORMED;
  }
  memcpy(run.targets, payload + LEASE_FIXED_BYTES, 4 * run.target_count);
  if (duplicate_or_reserved(k, &run)) return REFUSED_DESCRIPTOR_CONFLICT;

  // Parsed here only to name the run in STATE, and so that the JVM is never handed a malformed one.
  struct lease lease;
  char err[128];
  if (lease_read(c->reader.fds[0], run.block_length, &lease, err, sizeof err) != 0) {
    log_line(k, "refused a lease of process %d: %s", (int)c->pid, err);
    return REFUSED_MALFORMED;
  }
  copy_name(run.main_class, lease.main);
  copy_name(run.container_id, lease_list_value(&lease.env, "CONTAINER_ID"));
  copy_name(k->tenant, lease_list_value(&lease.env, "HOTTUB_TENANT"));
  lease_free(&lease);

  // A client of another pid namespace has no number here.
  if (c->pid > 0) {
    run.group = getpgid(c->pid);
    run.session = getsid(c->pid);
  }
  // Whatever the client sent as its token, reading it must not make the JVM wait.
  fcntl(c->reader.fds[1], F_SETFL, O_NONBLOCK);
  run.fd_count = run.target_count + 2;
  if (c->reader.fd_count > run.fd_count) take_claim(k, c->reader.fds[run.fd_count]);
  memcpy(run.fds, c->reader.fds, run.fd_count * sizeof(int));
  c->reader.fd_count = 0;
  c->deadline = DEADLINE_NONE;
  k->run = run;
  return 0;
}

static void frame_arrived(struct keeper *k, struct connection *c) {
  struct occasion occasion = {.connection = c, .value = frame_u32(&c->reader, 0)};
  connection_answered(c);
  switch (frame_type(&c->reader)) {
    case FRAME_LEASE:
      machine_event(k, EV_LEASE, &occasion);
      break;
    case FRAME_SIGNAL:
      if (c == k->run.client) machine_event(k, EV_SIGNAL, &occasion);
      break;
    case FRAME_STATUS:
      report_state(k, c);
      break;
    case FRAME_REVOKE:
      machine_event(k, EV_REVOKE, &occasion);
      break;
    case FRAME_RETIRE:
      machine_event(k, EV_RETIRE, &occasion);
      break;
    case FRAME_KEEP:
      machine_event(k, EV_KEEP, &occasion);
      break;
    case FRAME_AUDIT:
      machine_event(k, EV_AUDIT, &occasion);
      break;
    default:  // frames that only a keeper sends
      connection_close(k, c);
      return;
  }
  // The client of the run has no deadline: it waits for as long as the application runs.
  if (c == k->run.client || c->wants_done || c->wants_audited) c->deadline = DEADLINE_NONE;
  if (c->fd >= 0) frame_reader_reset(&c->reader);
}

void connection_readable(struct keeper *k, struct connection *c) {
  // One frame a turn: the loop comes back for the next one.
  switch (frame_read_some(c->fd, &c->reader)) {
    case FRAME_COMPLETE:
      frame_arrived(k, c);
      return;
    case FRAME_PARTIAL:
      // The client of a run gets a deadline for the rest of a frame that it has begun.
      if (c->deadline == DEADLINE_NONE && c->reader.have > 0) connection_answered(c);
      return;
    case FRAME_OTHER_VERSION:
      refuse(k, c, REFUSED_VERSION);
      connection_close(k, c);
      return;
    case FRAME_CLOSED:
    case FRAME_BROKEN:
      connection_close(k, c);
      return;
  }
}
