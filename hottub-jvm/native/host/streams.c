// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "streams.h"

#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "libraries.h"

enum { STREAMS = STDERR_FILENO + 1 };

static FILE **const variables[STREAMS] = {&stdin, &stdout, &stderr};
static FILE *streams[STREAMS];  // a library may set the variables
static FILE at_start[STREAMS];  // the public part, in which every use shows

void streams_remember(void) {
  for (int i = 0; i < STREAMS; i++) {
    streams[i] = *variables[i];
    at_start[i] = *streams[i];
  }
}

void streams_leave_libraries(void) {
  static char own[STREAMS][BUFSIZ];
  for (int i = 0; i < STREAMS; i++) {
    const char *buffer = streams[i]->_IO_buf_base;
    if (!buffer || !libraries_holding(buffer) || !libraries_is_of_run(buffer)) continue;
    setvbuf(streams[i], own[i], __flbf(streams[i]) ? _IOLBF : _IOFBF, sizeof own[i]);
  }
}

void streams_end(bool write_out) {
  for (int i = 0; i < STREAMS; i++) {
    if (!write_out) __fpurge(streams[i]);
  }
  fflush(NULL);
  fflush(streams[STDIN_FILENO]);
}

// freopen makes all of a stream anew, with the number of the descriptor that it has, or the lowest
// one that is free where the run has closed it. What is open there is as good.
static bool make_anew(int number) {
  FILE *stream = streams[number];
  __fpurge(stream);
  if (fileno(stream) != number) close(number);
  return freopen("/dev/null", number == STDIN_FILENO ? "r" : "w", stream) &&
         fileno(stream) == number &&
         (number != STDERR_FILENO || setvbuf(stream, NULL, _IONBF, 0) == 0);
}

void streams_reset(struct doubt *doubt) {
  for (int i = 0; i < STREAMS; i++) {
    *variables[i] = streams[i];
    if (memcmp(streams[i], &at_start[i], sizeof at_start[i]) == 0) continue;
    if (!make_anew(i)) doubt_because(doubt, DOUBT_CANNOT_BRING_BACK_STANDARD_STREAM, i);
    at_start[i] = *streams[i];
  }
}
