// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "arrivals.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clones.h"
#include "connection.h"
#include "deadline.h"
#include "jvm.h"
#include "log.h"
#include "report.h"
#include "state-table.h"

// ---- clients and the pool service

static void refuse(struct keeper *k, struct connection *c, uint32_t reason) {
  connection_send(k, c, FRAME_REFUSED, &reason, 1);
}

static void frame_arrived(struct keeper *k, struct connection *c) {
  struct occasion occasion = {.connection = c, .value = frame_u32(&c->reader, 0)};
  connection_answered(c);
  switch (frame_type(&c->reader)) {
    case FRAME_LEASE:
      table_event(k, EV_LEASE, &occasion);
      break;
    case FRAME_SIGNAL:
      if (c == k->run.client) table_event(k, EV_SIGNAL, &occasion);
      break;
    case FRAME_STATUS:
      report_state(k, c);
      break;
    case FRAME_REVOKE:
      table_event(k, EV_REVOKE, &occasion);
      break;
    case FRAME_RETIRE:
      table_event(k, EV_RETIRE, &occasion);
      break;
    case FRAME_KEEP:
      table_event(k, EV_KEEP, &occasion);
      break;
    case FRAME_AUDIT:
      table_event(k, EV_AUDIT, &occasion);
      break;
    case FRAME_CHILDREN:
      if (c == k->run.client) table_event(k, EV_WATCHED, &occasion);
      break;
    case FRAME_GROUP_SIGNAL:
      if (c == k->run.client) table_event(k, EV_GROUP_SIGNAL, &occasion);
      break;
    case FRAME_ALONE:
      if (c == k->run.client) table_event(k, EV_ALONE, &occasion);
      break;
    case FRAME_CLONE:
      table_event(k, EV_CLONE, &occasion);
      break;
    case FRAME_RAN:
      table_event(k, EV_RAN, &occasion);
      break;
    default:  // frames that only a keeper sends
      connection_close(k, c);
      return;
  }
  // The client of the run has no deadline: it waits for as long as the application runs.
  if (c == k->run.client || c->wants_done || c->wants_audited) c->deadline = DEADLINE_NONE;
  if (c->fd >= 0) frame_reader_reset(&c->reader);
}

void arrivals_read_connection(struct keeper *k, struct connection *c) {
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

void arrivals_accept_offers(struct keeper *k) {
  struct connection *c;
  int tries = 0;
  // Whoever offers a run has sent it already.
  while ((c = connection_accept(k, k->offers, &tries))) arrivals_read_connection(k, c);
}

void arrivals_accept_wakers(struct keeper *k) {
  int fd;
  // They have nothing to say.
  for (int i = 0; i < MAX_CONNECTIONS; i++) {
    fd = accept4(k->wake, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    close(fd);
  }
}

void arrivals_accept(struct keeper *k) {
  int tries = 0;
  while (connection_accept(k, k->listener, &tries)) {
  }
}

// ---- the JVM

static bool event_of(uint32_t type, enum event *event) {
  switch (type) {
    case CONTROL_READY:
      *event = EV_READY;
      return true;
    case CONTROL_ENTERED:
      *event = EV_ENTERED;
      return true;
    case CONTROL_FALLBACK:
      *event = EV_FALLBACK;
      return true;
    case CONTROL_CHILDREN:
      *event = EV_CHILDREN;
      return true;
    case CONTROL_ENDING:
      *event = EV_ENDING;
      return true;
    case CONTROL_EXITING:
      *event = EV_EXITING;
      return true;
    case CONTROL_ENDED:
      *event = EV_ENDED;
      return true;
    case CONTROL_CLEAN:
      *event = EV_CLEAN;
      return true;
    case CONTROL_DOUBT:
      *event = EV_DOUBT;
      return true;
    case CONTROL_AUDITED:
      *event = EV_AUDITED;
      return true;
    case CONTROL_CLONED:
      *event = EV_CLONED;
      return true;
    case CONTROL_COMPILED:
      *event = EV_COMPILED;
      return true;
    default:
      return false;
  }
}

void arrivals_read_jvm(struct keeper *k) {
  struct control_message message;
  enum event event;
  if (!jvm_receive(k, &message)) return;
  if (message.type == CONTROL_CRASHED) {
    // In any state, and the end of the process follows.
    log_line(k, "JVM %d has crashed:", (int)k->jvm);
    log_raw(k, message.text, message.text_length);
    return;
  }
  if (message.type == CONTROL_CONFLICT) {
    k->log_is_of_note = true;
    log_line(k,
             "%.500s was in the way of a class of this run: those of its kind are cold for a day",
             message.text);
    if (!pool_close_for_a_day(k->pool_dir, POOL_CONFLICT)) {
      log_line(k, "cannot say so in the pool: %s", strerror(errno));
    }
    return;
  }
  if (event_of(message.type, &event)) {
    table_event(k, event, &(struct occasion){.message = &message});
  } else {
    jvm_hang_up(k, true);
  }
}

void arrivals_reap_jvm(struct keeper *k) {
  int status;
  pid_t pid = jvm_reap(k, &status);
  if (k->lost_clone) clones_refused(k, "one died before it was ready");
  k->lost_clone = false;
  if (pid == 0) return;
  // Messages that it sent before it died come first: a run that ended well must not read as a
  // crash.
  for (int i = 0; i < 16 && k->control >= 0; i++) {
    if (deadline_wait(k->control, POLLIN, 0) <= 0) break;
    arrivals_read_jvm(k);
  }
  if (WIFSIGNALED(status)) {
    log_line(k, "JVM %d died of signal %d", (int)pid, WTERMSIG(status));
  } else {
    log_line(k, "JVM %d ended with status %d", (int)pid, WEXITSTATUS(status));
  }
  k->jvm_status = status;
  table_event(k, EV_JVM_GONE, &(struct occasion){0});
}
