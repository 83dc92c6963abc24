// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// What stays open after a run: descriptors-test.

#include "descriptors.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int failures;

static void expect(bool holds, const char *what) {
  if (holds) return;
  printf("FAILED: %s\n", what);
  failures++;
}

// Those of the host program need the VM.
void doubt_because(struct doubt *doubt, const char *sentence, ...) {
  va_list arguments;
  va_start(arguments, sentence);
  vsnprintf(doubt->text, sizeof doubt->text, sentence, arguments);
  va_end(arguments);
}

static bool is_open(int number) { return fcntl(number, F_GETFD) >= 0; }

static bool is_socket(int number) {
  int type;
  socklen_t length = sizeof type;
  return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}

static void end_run(int kept) {
  struct doubt doubt = {""};
  descriptors_give_up(&kept, 1, &doubt);
  descriptors_free_numbers(&kept, 1, &doubt);
  expect(!doubt.text[0], "the descriptors are seen");
}

// Returns a socket with the name /tmp/.java_pidPIDsuffix, whose file is gone.
static int named_socket(const char *suffix) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.java_pid%d%s", (int)getpid(), suffix);
  int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  expect(bind(number, (struct sockaddr *)&address, sizeof address) == 0, "a name for a socket");
  unlink(address.sun_path);
  return number;
}

int main(void) {
  char err[256];
  descriptors_reserve();
  int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  expect(own >= 256, "what the JVM opens while it starts has a high number");
  descriptors_release();
  // As threads of the VM do at any time.
  int passing = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  expect(descriptors_remember(own + 1, err, sizeof err), "the descriptors are seen at S0");
  close(passing);

  int pair[2], kept = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  expect(kept == passing, "the number is given again");
  end_run(kept);
  expect(is_open(own), "what was open at S0 is open");
  expect(is_open(kept), "what class loaders keep is open");
  close(kept);

  expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "a socket of a run");
  expect(pair[0] == passing && is_socket(passing), "has the number of what was open for a moment");
  end_run(-1);
  expect(!is_open(pair[0]) && !is_open(pair[1]), "no socket of a run stays open");
  expect(is_open(own), "what was open at S0 is open after two runs");

  int listener = named_socket(".tmp"), others = named_socket("0.tmp"), runs = named_socket("");
  end_run(-1);
  expect(is_open(listener), "the VM goes on to listen for tools");
  expect(!is_open(others) && !is_open(runs), "sockets with names like that are closed");
  return failures ? 1 : 0;
}
