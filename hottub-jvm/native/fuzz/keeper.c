// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A whole keeper between clients and a pooled JVM that say anything: frames, leases with
// descriptors, messages on the control socket, deadlines and deaths in any order.
// Input: a row of steps, see step().

#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arrivals.h"
#include "bytes.h"
#include "connection.h"
#include "deadline.h"
#include "endpoint.h"
#include "fdpass.h"
#include "fuzz.h"
#include "handover.h"
#include "lease.h"
#include "report.h"
#include "state-table.h"

#define PEERS 4
#define STEPS_MAX 64

const bool target_frees_memory = true;

static struct keeper keeper;
static int jvm;  // the JVM's end of the control socket
static int null, token, block, claims;
static uint64_t block_length;

// The other ends of connections.
static struct peer {
  int fd;
  struct frame_reader reader;
  unsigned leases, ends;
  bool granted;
} peers[PEERS];

// ---- what a keeper may say

static void check_frame(struct peer *peer) {
  const struct frame_reader *reader = &peer->reader;
  uint32_t length = frame_length(reader);
  switch (frame_type(reader)) {
    case FRAME_GRANTED:
      EXPECT(length == 20 && !peer->granted);
      peer->granted = true;
      return;
    case FRAME_EXIT:
      EXPECT(length == 8 && frame_u32(reader, 0) <= EXIT_FALLBACK);
      // One for each lease at most; before it is granted, too: a JVM that starts may be revoked.
      EXPECT(++peer->ends <= peer->leases);
      peer->granted = false;
      return;
    case FRAME_REFUSED:
      EXPECT(length == 4);
      return;
    case FRAME_STOPPED:
      EXPECT(length == 4 && peer->granted);
      return;
    case FRAME_ENTERED:
    case FRAME_CHILDREN:
      EXPECT(length == 0 && peer->granted);
      return;
    case FRAME_DONE:
      EXPECT(length == 0);
      return;
    case FRAME_STATE:
      EXPECT(length > 1 && reader->payload[0] == '{' && reader->payload[length - 1] == '}');
      EXPECT(fuzz_is_utf8(reader->payload, length));
      return;
    default:
      EXPECT(!"a frame that a keeper never sends");
  }
}

static void listen_to(struct peer *peer) {
  while (peer->fd >= 0) {
    enum frame_status status = frame_read_some(peer->fd, &peer->reader);
    if (status == FRAME_PARTIAL) return;
    if (status == FRAME_COMPLETE) {
      check_frame(peer);
      frame_reader_reset(&peer->reader);
      continue;
    }
    // ECONNRESET: it has closed a connection with something in it that it has not read.
    EXPECT(status == FRAME_CLOSED || errno == ECONNRESET);
    frame_reader_reset(&peer->reader);
    close(peer->fd);
    peer->fd = -1;
  }
}

// ---- what may happen to a keeper

static struct peer *peer_of(uint8_t number) {
  struct peer *peer = &peers[number % PEERS];
  int pair[2];
  if (peer->fd >= 0) return peer;
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
  *peer = (struct peer){.fd = pair[1]};
  connection_add(&keeper, pair[0]);
  return peer;
}

static void send_lease(struct peer *peer, struct choices *input) {
  uint8_t count = choose_u8(input), wrong = choose_u8(input);
  struct bytes payload = {0};
  int fds[FDPASS_MAX];
  size_t fd_count = 2 + (count & 15u), length;
  int own = -1;
  uint64_t announced = block_length;
  fds[0] = block;
  fds[1] = token;
  for (size_t i = 2; i < fd_count; i++) fds[i] = null;
  if (wrong & 1) fd_count -= 1 + (wrong >> 4) % fd_count;
  if (wrong & 2) announced = choose_u32(input);
  if (wrong & 4) {  // a lease block of its own
    const uint8_t *bytes = choose_bytes(input, choose_u8(input), &length);
    own = memfd_create("own", MFD_CLOEXEC);
    EXPECT(own >= 0 && write(own, bytes, length) == (ssize_t)length);
    fds[0] = own;
    announced = length;
  }
  peer->leases++;
  bytes_add_u32(&payload, 1);
  bytes_add_u32(&payload, wrong & 8 ? choose_u32(input) : count & 15u);
  bytes_add_u64(&payload, announced);
  for (size_t i = 0; i < (count & 15u); i++) {
    bytes_add_u32(&payload, count & 16 ? choose_u32(input) : (uint32_t)i);
  }
  int handover = wrong & 16 ? dup(null) : handover_open(fds, fd_count);
  EXPECT(handover >= 0);
  const int sent[] = {handover, claims};
  size_t sent_count = (wrong & 32 ? 0 : 1) + (count & 32 ? 1 : 0);
  frame_write(peer->fd, FRAME_LEASE, payload.data, (uint32_t)payload.length, sent, sent_count, 0);
  if (wrong & 64) {
    handover_withdraw(handover);
  } else {
    close(handover);
  }
  bytes_free(&payload);
  if (own >= 0) close(own);
}

static void jvm_says(struct choices *input) {
  struct control_message message = {.type = choose_u8(input), .value = choose_u32(input)};
  size_t length;
  const uint8_t *text = choose_bytes(input, choose_u8(input), &length);
  memcpy(message.text, text, length);
  // Its own report of an audit goes to the peer as it is.
  if (message.type == CONTROL_AUDITED) memcpy(message.text, "{}", length = 2);
  message.text_length = (uint32_t)length;
  control_send(jvm, &message, &null, message.value == 77 ? 1 : 0);
}

static void step(struct choices *input) {
  uint8_t what = choose_u8(input), number = what >> 4;
  struct peer *peer;
  size_t length;
  const uint8_t *bytes;
  switch (what & 7) {
    case 0:  // bytes that need not be a frame
      bytes = choose_bytes(input, choose_u8(input), &length);
      send(peer_of(number)->fd, bytes, length, MSG_NOSIGNAL);
      return;
    case 1:
      bytes = choose_bytes(input, choose_u8(input) & 15u, &length);
      frame_write(peer_of(number)->fd, choose_u8(input) % (FRAME_CLONE + 1), bytes,
                  (uint32_t)length, &null, number & 8 ? 1 : 0, 0);
      return;
    case 2:
      send_lease(peer_of(number), input);
      return;
    case 3:
      jvm_says(input);
      return;
    case 4:
      if (keeper.deadline != DEADLINE_NONE) {
        table_event(&keeper, EV_DEADLINE, &(struct occasion){0});
      }
      return;
    case 5:  // a peer goes away, perhaps with answers unread
      peer = &peers[number % PEERS];
      frame_reader_reset(&peer->reader);
      if (peer->fd >= 0) close(peer->fd);
      peer->fd = -1;
      return;
    case 6:  // the JVM dies
      keeper.jvm_status = choose_u8(input);
      table_event(&keeper, EV_JVM_GONE, &(struct occasion){0});
      return;
    default:  // a peer that does not read any more
      shutdown(peer_of(number)->fd, SHUT_RD);
      return;
  }
}

// As the keeper's own loop, until nobody has anything more to say. Entries of -1 are passed over.
static void settle(void) {
  struct pollfd entries[1 + MAX_CONNECTIONS + PEERS], *peer_entries = entries + 1 + MAX_CONNECTIONS;
  struct connection *connections = keeper.connections;
  do {
    entries[0] = (struct pollfd){.fd = keeper.control, .events = POLLIN};
    size_t count = 1;
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
      entries[count++] = (struct pollfd){.fd = connections[i].fd, .events = POLLIN};
    }
    for (size_t i = 0; i < PEERS; i++) {
      entries[count++] = (struct pollfd){.fd = peers[i].fd, .events = POLLIN};
    }
    if (poll(entries, count, 0) <= 0) return;
    if (entries[0].revents) arrivals_read_jvm(&keeper);
    for (size_t i = 0; i < MAX_CONNECTIONS && !keeper.finished; i++) {
      if (entries[1 + i].revents && connections[i].fd >= 0) {
        arrivals_read_connection(&keeper, &connections[i]);
      }
    }
    for (size_t i = 0; i < PEERS; i++) {
      if (peer_entries[i].revents) listen_to(&peers[i]);
    }
  } while (!keeper.finished);
}

// ----

void target_prepare(void) {
  static char *none[] = {NULL};
  static char *env[] = {"CONTAINER_ID=container_1", "HOTTUB_TENANT=alice", NULL};
  struct lease lease = {.cwd = "/", .env = {2, env}, .mode = LEASE_CLASS, .main = "Main"};
  char err[128];
  lease.props = lease.args = lease.class_path = lease.vm_late = lease.arguments =
      (struct lease_list){0, none};
  null = open("/dev/null", O_RDWR | O_CLOEXEC);
  token = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  block = lease_write(&lease, &block_length, err, sizeof err);
  claims = pool_claims_open(fuzz_folder());
  EXPECT(null >= 0 && token >= 0 && block >= 0 && claims >= 0);
}

static void begin(void) {
  int pair[2];
  char name[32];
  memset(&keeper, 0, sizeof keeper);
  keeper.fingerprint = "0123456789abcdef0123456789abcdef";
  keeper.user_dir = keeper.pool_dir = fuzz_folder();
  keeper.limits = (struct pool_limits){.idle_seconds = 900, .max_leases = 3};
  keeper.listener = keeper.offers = keeper.wake = keeper.log = keeper.output = keeper.counters = -1;
  keeper.offers_dir = keeper.user_dir;
  keeper.claims = pool_claims_open(keeper.user_dir);
  keeper.run_claim = -1;
  EXPECT(endpoint_claim(&keeper));
  keeper.control_number = 500;
  keeper.reset_us_last = keeper.lease_us_last = -1;
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) keeper.connections[i].fd = -1;
  for (size_t i = 0; i < PEERS; i++) peers[i] = (struct peer){.fd = -1};
  EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
  keeper.control = pair[0];
  jvm = pair[1];
  snprintf(name, sizeof name, POOL_BUSY_PREFIX "%d", (int)getpid());
  fuzz_file(name, NULL, 0);
  table_begin(&keeper);
}

static void end(void) {
  for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
    struct connection *c = &keeper.connections[i];
    frame_reader_reset(&c->reader);
    if (c->fd >= 0) close(c->fd);
  }
  for (size_t i = 0; i < PEERS; i++) {
    listen_to(&peers[i]);
    frame_reader_reset(&peers[i].reader);
    if (peers[i].fd >= 0) close(peers[i].fd);
  }
  fdpass_close(keeper.run.fds, keeper.run.fd_count);
  endpoint_remove(&keeper);
  fdpass_close(&keeper.run_claim, 1);
  close(keeper.claims);
  if (keeper.counters >= 0) close(keeper.counters);
  if (keeper.control >= 0) close(keeper.control);
  close(jvm);
}

void target_run(const uint8_t *data, size_t size) {
  struct choices input = {data, size};
  begin();
  for (int i = 0; i < STEPS_MAX && input.left > 0 && !keeper.finished; i++) {
    step(&input);
    settle();
    EXPECT(keeper.state < STATE_COUNT);
    // Whoever wants an idle JVM can have it.
    EXPECT(keeper.state != IDLE || keeper.run_claim < 0);
    EXPECT(keeper.state != IDLE || !pool_is_claimed(claims, getpid()));
    // The descriptors of a run are the JVM's once it can take them.
    EXPECT(keeper.run.fd_count == 0 || keeper.state == STARTING);
  }
  if (keeper.finished) {
    // Nobody is left to wait for an answer.
    EXPECT(!keeper.run.client && keeper.run.fd_count == 0);
    for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
      EXPECT(!keeper.connections[i].wants_done || keeper.connections[i].fd < 0);
      EXPECT(!keeper.connections[i].wants_audited || keeper.connections[i].fd < 0);
    }
    report_end(&keeper, keeper.state == RETIRING);
  }
  end();
}
