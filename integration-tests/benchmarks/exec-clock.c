// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// exec-clock COMMAND...: writes the time in nanoseconds, as System.nanoTime() counts it, to
// descriptor 3 and becomes the command. Exit status 125 if it cannot.

#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct timespec now;
  if (argc < 2 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 125;
  dprintf(3, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
  close(3);
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 125;
}
