// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// storm COUNT INTERVAL_US PROGRAM ARGUMENT...: starts the program so many times, one every
// INTERVAL_US (0: all at once), waits for all, and prints how many of them failed. A program whose
// ends it does not wait for does not hold up the next: all processes are there before the first
// begins.

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_until(struct timespec start, long us) {
  long ns = start.tv_nsec + us % 1000000 * 1000;
  struct timespec at = {start.tv_sec + us / 1000000 + ns / 1000000000, ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int main(int argc, char **argv) {
  if (argc < 4) return 100;
  long count = atol(argv[1]), interval = atol(argv[2]);
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  start.tv_sec += 2;  // time for all forks
  for (long i = 0; i < count; i++) {
    pid_t child = fork();
    if (child < 0) return 111;
    if (child == 0) {
      sleep_until(start, i * interval);
      execv(argv[3], argv + 3);
      _exit(127);
    }
  }
  int status, failed = 0;
  while (wait(&status) > 0) {
    if (status != 0) failed++;
  }
  printf("%d\n", failed);
  return 0;
}
