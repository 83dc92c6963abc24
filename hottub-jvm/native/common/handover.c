// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "handover.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fdpass.h"

int handover_open(const int *fds, size_t count) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) return -1;
  bool sent = fdpass_send(pair[0], &part, 1, fds, count) == 1;
  close(pair[0]);
  if (sent) return pair[1];
  close(pair[1]);
  return -1;
}

bool handover_take(int socket, int *fds, size_t *count) {
  char byte;
  struct iovec part = {&byte, 1};
  // Whatever the sender calls a socket, reading it must not make us wait.
  int flags = fcntl(socket, F_GETFL);
  if (flags < 0 || fcntl(socket, F_SETFL, flags | O_NONBLOCK) != 0) return false;
  return fdpass_receive(socket, &part, 1, fds, count) == 1;
}

void handover_withdraw(int socket) {
  int fds[FDPASS_MAX];
  size_t count = FDPASS_MAX;
  if (socket < 0) return;
  if (handover_take(socket, fds, &count)) fdpass_close(fds, count);
  close(socket);
}
