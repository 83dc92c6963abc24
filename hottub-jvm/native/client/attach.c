// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "attach.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// Where HotSpot and its tools look for each other, whatever TMPDIR says.
#define SOCKET "/tmp/.java_pid%u"
#define REQUEST ".attach_pid%u"

enum { NAME_BYTES = 64 };

static char request_to_jvm[NAME_BYTES], own_socket[NAME_BYTES];

static bool is_request(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && (info.st_uid == geteuid() || info.st_uid == 0);
}

bool attach_is_wanted(void) {
  char here[NAME_BYTES], there[NAME_BYTES];
  snprintf(here, sizeof here, REQUEST, (unsigned)getpid());
  snprintf(there, sizeof there, "/tmp/" REQUEST, (unsigned)getpid());
  return is_request(here) || is_request(there);
}

bool attach_lead_to(uint32_t jvm) {
  char socket[NAME_BYTES];
  snprintf(socket, sizeof socket, SOCKET, (unsigned)jvm);
  if (!*own_socket) {
    snprintf(own_socket, sizeof own_socket, SOCKET, (unsigned)getpid());
    if (symlink(socket, own_socket) != 0) *own_socket = '\0';
  }
  if (access(socket, F_OK) == 0) return false;  // of a tool before this one
  snprintf(request_to_jvm, sizeof request_to_jvm, "/tmp/" REQUEST, (unsigned)jvm);
  int fd = open(request_to_jvm, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) close(fd);
  return true;
}

void attach_end(void) {
  if (*request_to_jvm) unlink(request_to_jvm);
  if (*own_socket) unlink(own_socket);
}
