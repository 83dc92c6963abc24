// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include "deadline.h"
#include "log.h"
#include "pool.h"

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

struct connection *connection_accept(struct keeper *k, int listener, int *tries) {
  while ((*tries)++ < MAX_CONNECTIONS) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return NULL;
    struct connection *c = connection_add(k, fd);
    if (c) return c;
  }
  return NULL;
}

void connection_close(struct keeper *k, struct connection *c) {
  if (c->fd < 0) return;
  frame_reader_reset(&c->reader);
  close(c->fd);
  c->fd = -1;
  if (k->run.client == c) {
    k->run.client = NULL;
    k->client_gone(k);
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
