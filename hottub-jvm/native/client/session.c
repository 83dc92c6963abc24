// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach.h"
#include "bytes.h"
#include "cold.h"
#include "deadline.h"
#include "fdpass.h"
#include "frame.h"
#include "handover.h"
#include "signals.h"
#include "trace.h"
#include "witness.h"

// The keeper ends a run that is not entered within 5 s; this is for a keeper that does not.
#define ENTER_MS 7000

static int signals = -1;
static uint64_t forwarded;  // what it reads
static uint64_t later;      // of that, from the entry of main on

// ---- signals

static bool is_one_of(int number, const int *numbers) {
  for (; *numbers; numbers++) {
    if (*numbers == number) return true;
  }
  return false;
}

// Not forwarded: what no process can catch, what is the end of a stock JVM without a report, CHLD
// of the helper that starts a keeper, and what the C library keeps for itself (32, 33). Signals of
// faults come from somebody who sends them: one of the client itself ends it, blocked or not.
static bool is_forwarded(int number, const struct inheritance *inheritance) {
  static const int own[] = {SIGKILL, SIGSTOP, SIGTRAP, SIGSYS, SIGABRT,
                            SIGPIPE, SIGXFSZ, 32,      33,     0};
  static const int vm_keeps_ignoring[] = {SIGHUP, SIGINT, SIGTERM, 0};
  static const int vm_unblocks[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, 0};
  uint64_t bit = signals_bit(number);
  if (is_one_of(number, own)) return false;
  if ((inheritance->ignored_signals & bit) && is_one_of(number, vm_keeps_ignoring)) return false;
  if ((inheritance->blocked_signals & bit) && !is_one_of(number, vm_unblocks)) return false;
  return true;
}

void session_block_signals(const struct inheritance *inheritance) {
  for (int number = 1; number <= SIGNALS_LAST; number++) {
    if (is_forwarded(number, inheritance)) forwarded |= signals_bit(number);
  }
  // A stock JVM survives these two; neither we nor the JVM of the run need to hear of them.
  cold_restore_mask(inheritance->blocked_signals);
  signals_block(inheritance->blocked_signals | forwarded | signals_bit(SIGPIPE) |
                signals_bit(SIGXFSZ));
  // Where the caller has blocked it, a stock JVM gets it when its handler is there.
  later = inheritance->blocked_signals & signals_bit(SIGQUIT);
  signals = signals_descriptor(forwarded & ~later);
  if (signals < 0) run_cold(COLD_NO_SIGNALFD);
}

// ---- ends

static _Noreturn void die_by_signal(int number) {
  witness_end();
  attach_end();
  // The JVM has left its core, if it was to leave one; the client's would only hide it.
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
  signals_default(number);
  signals_block(signals_blocked() & ~signals_bit(number));
  kill(getpid(), number);
  // Only a signal whose default is not to kill leads here.
  _exit(128 + number);
}

static _Noreturn void end_as(uint32_t kind, uint32_t value) {
  if (kind == EXIT_SIGNAL)
    die_by_signal(value >= 1 && value <= SIGNALS_LAST ? (int)value : SIGKILL);
  witness_end();
  attach_end();
  _exit((int)(value & 0xff));
}

static bool take_token(struct session *s) {
  uint64_t one;
  return read(s->token, &one, sizeof one) == (ssize_t)sizeof one;
}

static bool is_token_there(const struct session *s) {
  struct pollfd entry = {.fd = s->token, .events = POLLIN};
  return poll(&entry, 1, 0) == 1;
}

static void trace(struct session *s) {
  if (!s->traced) trace_pool(s->jvm_pid, s->run, s->isolation);
  s->traced = true;
}

// From here on only the JVM holds what this process has inherited: when the application closes it,
// it is closed.
static void release_descriptors(const struct inheritance *inheritance) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (size_t i = 0; i < inheritance->descriptor_count; i++) {
    int fd = inheritance->descriptors[i];
    if (fd > 2) {
      close(fd);
    } else if (null >= 0) {
      dup2(null, fd);
    }
  }
  if (null >= 0) close(null);
}

// ---- what may arrive

static bool is_stopping(int number) {
  static const int stopping[] = {SIGTSTP, SIGTTIN, SIGTTOU, 0};
  return is_one_of(number, stopping);
}

// By the signal itself: who waits for this process can see which, and the kernel does not stop a
// process group that has no parent to wake it.
static void stop_by(int number) {
  uint64_t mask = signals_blocked();
  signals_default(number);
  raise(number);
  signals_block(mask & ~signals_bit(number));
  signals_block(mask);
}

// While main is not entered, a stock JVM is not yet ready to handle signals either: their default
// action applies. False: main is entered, although the keeper has not said so yet.
static bool signal_before_entry(struct session *s, int number) {
  static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, 0};
  if (is_one_of(number, harmless) || (s->inheritance->ignored_signals & signals_bit(number))) {
    return is_token_there(s);
  }
  if (!take_token(s)) return false;
  handover_withdraw(s->handover);
  s->handover = -1;
  if (!is_stopping(number)) die_by_signal(number);
  // Without the token no JVM enters main while this process is stopped.
  stop_by(number);
  s->reason = COLD_STOPPED;
  return true;
}

static void send_signal(struct session *s, uint32_t number) {
  // A keeper that does not take it is gone; poll says so.
  frame_write_u32(s->socket, FRAME_SIGNAL, &number, 1, monotonic_ms() + FRAME_DEADLINE_MS);
}

static void forward_signals(struct session *s) {
  struct signalfd_siginfo info;
  witness_settle();
  while (!s->reason && read(signals, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGCHLD && info.ssi_code > 0) continue;  // of children of the client
    if (!s->entered && signal_before_entry(s, (int)info.ssi_signo)) continue;
    if (info.ssi_signo == SIGQUIT && attach_is_wanted() && !attach_lead_to(s->jvm_pid)) continue;
    send_signal(s, info.ssi_signo);
  }
}

// The JVM is stopped, and so is the client.
static void stop(struct session *s, int number) {
  if (!is_stopping(number)) return;
  stop_by(number);
  // What has woken us waits in the descriptor to be forwarded, if it is. Nothing has woken us where
  // the kernel has not stopped us.
  if (!(forwarded & signals_pending() & signals_bit(SIGCONT))) send_signal(s, SIGCONT);
}

static void watch_children(struct session *s) {
  uint32_t watched = s->entered && witness_start(s->socket);
  frame_write_u32(s->socket, FRAME_CHILDREN, &watched, 1, monotonic_ms() + FRAME_DEADLINE_MS);
}

// The run was not entered over this socket: the reason is returned, unless the token says
// otherwise.
static enum cold_reason give_up(struct session *s, enum cold_reason reason) {
  if (take_token(s)) return reason;
  s->entered = true;
  s->deadline = DEADLINE_NONE;
  return COLD_NONE;
}

static enum cold_reason frame_arrived(struct session *s, const struct frame_reader *frame) {
  uint32_t first = frame_u32(frame, 0), second = frame_u32(frame, 1);
  switch (frame_type(frame)) {
    case FRAME_GRANTED:
      s->jvm_pid = first;
      s->run = second;
      s->isolation = frame_u32(frame, 4) == ISOLATION_CLONE ? ISOLATION_CLONE : ISOLATION_REUSE;
      trace_granted((int64_t)(frame_u32(frame, 2) | (uint64_t)frame_u32(frame, 3) << 32));
      if (!s->entered) s->deadline = monotonic_ms() + ENTER_MS;
      return COLD_NONE;
    case FRAME_ENTERED:
      // A keeper that says so while the token is there is wrong, and main will not be entered: our
      // descriptors must not go.
      if (take_token(s)) return COLD_ENTRY_WITHOUT_TOKEN;
      s->entered = true;
      s->deadline = DEADLINE_NONE;
      trace(s);
      close(s->handover);  // the keeper has taken them
      s->handover = -1;
      release_descriptors(s->inheritance);
      return COLD_NONE;
    case FRAME_STOPPED:
      stop(s, (int)first);
      return COLD_NONE;
    case FRAME_CHILDREN:
      watch_children(s);
      return COLD_NONE;
    case FRAME_REFUSED:
      return give_up(s, first == REFUSED_DESCRIPTOR_CONFLICT ? COLD_DESCRIPTOR_CONFLICT
                        : first == REFUSED_VERSION           ? COLD_PROTOCOL_VERSION
                        : first == REFUSED_MALFORMED         ? COLD_LEASE_MALFORMED
                        : first == REFUSED_CGROUP            ? COLD_CGROUP_LIMITS
                        : first == REFUSED_UNTRAINED         ? COLD_UNTRAINED
                        : first == REFUSED_POOL_UNWRITABLE   ? COLD_POOL_UNWRITABLE
                                                             : COLD_JVM_BUSY);
    case FRAME_EXIT:
      if (first != EXIT_FALLBACK) {
        trace(s);
        end_as(first, second);
      }
      if (take_token(s)) return COLD_JVM_FALLBACK;
      // The JVM died between taking the token and telling so: `second` is its wait status.
      if (WIFSIGNALED((int)second)) end_as(EXIT_SIGNAL, (uint32_t)WTERMSIG((int)second));
      die_by_signal(SIGKILL);
    default:
      return COLD_NONE;
  }
}

// ----

static bool send_lease(struct session *s, const struct offer *offer, int claim) {
  const struct inheritance *own = offer->inheritance;
  struct bytes payload = {0};
  int fds[2 + INHERIT_MAX_DESCRIPTORS];
  size_t fd_count = 2 + own->descriptor_count;
  bytes_add_u32(&payload, (uint32_t)getpid());
  bytes_add_u32(&payload, (uint32_t)own->descriptor_count);
  bytes_add_u64(&payload, offer->block_length);
  fds[0] = offer->block;
  fds[1] = s->token;
  for (size_t i = 0; i < own->descriptor_count; i++) {
    bytes_add_u32(&payload, (uint32_t)own->descriptors[i]);
    fds[2 + i] = own->descriptors[i] == STDIN_FILENO ? offer->input : own->descriptors[i];
  }
  s->handover = handover_open(fds, fd_count);
  // The claim stays with a keeper that does not answer: nobody else is to ask it.
  const int sent_fds[] = {s->handover, claim};
  bool sent = !payload.failed && s->handover >= 0 &&
              frame_write(s->socket, FRAME_LEASE, payload.data, (uint32_t)payload.length, sent_fds,
                          claim >= 0 ? 2 : 1, monotonic_ms() + FRAME_DEADLINE_MS) == 0;
  bytes_free(&payload);
  return sent;
}

static enum cold_reason turn(struct session *s, struct frame_reader *frame) {
  if (s->entered && later) {
    signals_descriptor_set(signals, forwarded);
    later = 0;
  }
  struct pollfd entries[2] = {{.fd = s->socket, .events = POLLIN},
                              {.fd = signals, .events = POLLIN}};
  int ready = poll(entries, 2, deadline_poll_ms(s->deadline));
  if (ready < 0) return COLD_NONE;
  if (ready == 0) return give_up(s, COLD_DEADLINE);
  if (entries[1].revents) forward_signals(s);
  if (s->reason || !entries[0].revents) return s->reason;
  enum cold_reason reason = COLD_NONE;
  switch (frame_read_some(s->socket, frame)) {
    case FRAME_PARTIAL:
      return COLD_NONE;
    case FRAME_COMPLETE:
      reason = frame_arrived(s, frame);
      frame_reader_reset(frame);
      return reason;
    case FRAME_OTHER_VERSION:
      // So does a keeper refuse that does not know ours.
      frame_reader_reset(frame);
      return give_up(s, COLD_PROTOCOL_VERSION);
    default:
      if (!s->entered && take_token(s)) return COLD_KEEPER_GONE;
      // Keeper and JVM were killed, and so are we.
      die_by_signal(SIGKILL);
  }
}

void session_offer(struct session *session, int socket, const struct offer *offer, int claim,
                   int64_t grant_ms) {
  *session = (struct session){.socket = socket,
                              .token = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE),
                              .deadline = monotonic_ms() + grant_ms,
                              .inheritance = offer->inheritance};
  if (session->token < 0) run_cold(COLD_NO_EVENTFD);
  if (!send_lease(session, offer, claim)) session_withdraw(session);
  if (claim >= 0) close(claim);
}

void session_withdraw(struct session *session) {
  if (take_token(session)) session->reason = COLD_KEEPER_GONE;
}

enum cold_reason session_wait(struct session *session) {
  struct frame_reader frame = {0};
  while (!session->reason) session->reason = turn(session, &frame);
  frame_reader_reset(&frame);
  handover_withdraw(session->handover);
  close(session->token);
  close(session->socket);
  return session->reason;
}
