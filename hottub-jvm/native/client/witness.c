// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "witness.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cold.h"
#include "deadline.h"
#include "frame.h"
#include "signals.h"

// A witness that is stopped with its group does not answer.
#define SETTLE_MS 100

static pid_t witness;
static int line;  // to it

static void tell(int socket, enum frame_type type, uint32_t number) {
  frame_write_u32(socket, type, &number, 1, monotonic_ms() + FRAME_DEADLINE_MS);
}

// `client` ends with the client, which ends us: to see that means that it was killed, and we were
// not. Each byte on it asks us to tell all, and to answer.
static _Noreturn void watch(int client, int socket) {
  int signals = signals_descriptor(UINT64_MAX);
  struct pollfd entries[2] = {{.fd = client, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  while (signals >= 0 && poll(entries, 2, -1) >= 0) {
    char byte;
    ssize_t asked = entries[0].revents ? read(client, &byte, 1) : -1;
    if (asked == 0) {
      tell(socket, FRAME_ALONE, 0);
      _exit(0);
    }
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == (ssize_t)sizeof info) {
      tell(socket, FRAME_GROUP_SIGNAL, info.ssi_signo);
    }
    if (asked == 1) send(client, &byte, 1, MSG_NOSIGNAL);
  }
  _exit(1);
}

bool witness_start(int socket) {
  int pair[2];
  if (witness) return true;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  uint64_t mask = signals_blocked();
  signals_block(UINT64_MAX);
  pid_t client = getpid();
  witness = fork();
  if (witness == 0) {
    close(pair[0]);
    cold_hide_command("hottub-witness");
    // It may have been stopped with its group when its client is killed.
    prctl(PR_SET_PDEATHSIG, SIGCONT);
    if (getppid() != client) _exit(0);
    watch(pair[1], socket);
  }
  signals_block(mask);
  close(pair[1]);
  // The other end stays open, until we end.
  line = pair[0];
  if (witness > 0) return true;
  witness = 0;
  close(pair[0]);
  return false;
}

void witness_settle(void) {
  char byte = 0;
  if (!witness || send(line, &byte, 1, MSG_NOSIGNAL) != 1) return;
  if (deadline_wait(line, POLLIN, monotonic_ms() + SETTLE_MS) > 0 && read(line, &byte, 1) != 1) {
    // It has been killed: what it had not told is lost.
  }
}

void witness_end(void) {
  if (!witness) return;
  kill(witness, SIGKILL);
  waitpid(witness, NULL, 0);
  witness = 0;
}
