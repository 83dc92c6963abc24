// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "fdpass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control_space {
  struct cmsghdr align;
  char space[CMSG_SPACE(FDPASS_MAX * sizeof(int))];
};

ssize_t fdpass_send(int socket, struct iovec *parts, size_t part_count, const int *fds,
                    size_t fd_count) {
  if (fd_count > FDPASS_MAX) {
    errno = EMSGSIZE;
    return -1;
  }
  union control_space control;
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = part_count};
  if (fd_count) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
    memcpy(CMSG_DATA(header), fds, fd_count * sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t fdpass_receive(int socket, struct iovec *parts, size_t part_count, int *fds,
                       size_t *fd_count) {
  union control_space control;
  struct msghdr message = {.msg_iov = parts,
                           .msg_iovlen = part_count,
                           .msg_control = control.space,
                           .msg_controllen = sizeof control.space};
  size_t room = *fd_count;
  *fd_count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -1;

  // Take every descriptor first: one that is not noted here could never be closed again.
  int taken[FDPASS_MAX];
  size_t count = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(taken + count, CMSG_DATA(header), here * sizeof(int));
    count += here;
  }
  if (count > room || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
    fdpass_close(taken, count);
    errno = EPROTO;
    return -1;
  }
  if (count) memcpy(fds, taken, count * sizeof(int));
  *fd_count = count;
  return received;
}

void fdpass_close(int *fds, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (fds[i] >= 0) close(fds[i]);
    fds[i] = -1;
  }
}
