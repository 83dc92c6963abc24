// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// A run, as the client sees it: the real session, with a keeper and a pooled JVM that say and do
// anything. Input: a row of steps, see play().

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "signals.h"

// How the client ends, and what it does to itself on the way: observed, not done.
_Noreturn static void seam_exit(int status);
static int seam_kill(pid_t pid, int number);
static int seam_raise(int number);
static int seam_poll(struct pollfd *entries, nfds_t count, int timeout);
#define _exit seam_exit
#define kill seam_kill
#define raise seam_raise
#define poll seam_poll
#define signals_default(number) ((void)(number))
#define signals_block(set) ((void)(set))
#define setrlimit(resource, limit) ((void)(limit))
#define prctl(...) ((void)0)
#include <sys/mman.h>
#include <sys/socket.h>

#include "../client/session.c"
#include "fuzz.h"

const bool target_frees_memory = false;

static int block;
static struct session session;
static struct choices input;
static int keeper = -1, token = -1;
static bool entered;        // the JVM has taken the token
static bool told_of_entry;  // and the keeper has said so, or lied
static bool told_of_end;
static bool believes;  // the client believes that main is entered: its descriptors are gone
static jmp_buf ended;

void seam_exit(int status) {
  EXPECT(status >= 0 && status <= 255);
  longjmp(ended, 1);
}

int seam_kill(pid_t pid, int number) {
  EXPECT(pid == getpid() && number >= 1 && number <= 64);
  longjmp(ended, 1);
}

int seam_raise(int number) {
  EXPECT(number == SIGTSTP || number == SIGTTIN || number == SIGTTOU);
  return 0;
}

// The real one is a process.
bool witness_start(int socket) {
  EXPECT(socket == session.socket);
  return true;
}
void witness_settle(void) {}
void witness_end(void) {}

// Where the client would write its trace and its line in the journal.
void trace_granted(int64_t at_us) { (void)at_us; }
void trace_pool(int64_t jvm_pid, int64_t run, enum isolation isolation) {
  (void)jvm_pid;
  (void)run, (void)isolation;
  believes = true;
}
void trace_cold(enum cold_reason reason) { (void)reason; }
void cold_restore_mask(uint64_t mask) { (void)mask; }

static bool jvm_takes_token(void) {
  uint64_t one;
  return read(token, &one, sizeof one) == (ssize_t)sizeof one;
}

static void say(enum frame_type type, const void *payload, size_t length) {
  told_of_entry |= type == FRAME_ENTERED;
  told_of_end |= type == FRAME_EXIT;
  frame_write(keeper, type, payload, (uint32_t)length, NULL, 0, 0);
}

// One step of the other side; false: it has nothing more to say.
static bool play(void) {
  if (input.left == 0) return false;
  uint8_t step = choose_u8(&input);
  size_t length, wanted = step >> 4;
  const uint8_t *bytes = choose_bytes(&input, wanted, &length);
  switch (step & 7) {
    case 0:  // bytes that need not be a frame
      told_of_entry = told_of_end = true;
      send(keeper, bytes, length, MSG_NOSIGNAL);
      return true;
    case 1:
      entered |= jvm_takes_token();
      return true;
    case 2:
      say(FRAME_GRANTED, bytes, length);
      return true;
    case 3:
      say(FRAME_ENTERED, bytes, length);
      return true;
    case 4:
      say(FRAME_EXIT, bytes, length);
      return true;
    case 5:
      say(FRAME_REFUSED, bytes, length);
      return true;
    case 6:
      say(step & 8 ? FRAME_CHILDREN : FRAME_STOPPED, bytes, length);
      return true;
    default:  // the deadline passes
      session.deadline = 0;
      return true;
  }
}

int seam_poll(struct pollfd *entries, nfds_t count, int timeout) {
  EXPECT(count == 2 && entries[0].fd == session.socket);
  entries[1].revents = 0;
  if (!play()) shutdown(keeper, SHUT_RDWR);
  if (session.deadline == 0) {
    session.deadline = DEADLINE_NONE;  // the client gives up, or waits on
    return 0;
  }
  (void)timeout;
  // To be told so for nothing does no harm.
  entries[0].revents = POLLIN;
  return 1;
}

void target_prepare(void) { block = memfd_create("fuzz", MFD_CLOEXEC); }

void target_run(const uint8_t *data, size_t size) {
  static const struct inheritance nothing = {.descriptor_count = 0};
  struct offer offer = {.inheritance = &nothing, .block = block};
  int pair[2];
  input = (struct choices){data, size};
  entered = told_of_entry = told_of_end = believes = false;
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
  keeper = pair[1];
  session_offer(&session, pair[0], &offer, dup(block), 1000);
  EXPECT(!session.reason);
  token = dup(session.token);
  if (setjmp(ended) == 0) {
    enum cold_reason reason = session_wait(&session);
    // It may run cold, once: nobody has entered main, and nobody ever will.
    EXPECT(reason && !entered && !believes && !jvm_takes_token());
  } else {
    close(session.socket);
    close(session.token);
    handover_withdraw(session.handover);
    // The client ends only with its run, or with a keeper that has said that it began.
    EXPECT(entered || told_of_entry || told_of_end);
  }
  close(token);
  close(keeper);
}
