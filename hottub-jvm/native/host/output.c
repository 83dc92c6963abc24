// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// One stream of this process: what the VM has said on it, and while it is kept, where it led.
struct stream {
  int number, before;
  char *text;
  size_t length;
};

static struct stream streams[] = {{STDOUT_FILENO, -1, NULL, 0}, {STDERR_FILENO, -1, NULL, 0}};

#define STREAM_COUNT (sizeof streams / sizeof *streams)

static void write_all(int number, const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(number, text, length);
    if (count <= 0) return;  // A stock JVM does not report a closed descriptor either.
    text += count;
    length -= (size_t)count;
  }
}

static void keep(struct stream *stream) {
  int file = memfd_create("output", MFD_CLOEXEC);
  int before = fcntl(stream->number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (file >= 0 && before >= 0 && dup2(file, stream->number) >= 0) {
    stream->before = before;
  } else if (before >= 0) {
    close(before);
  }
  if (file >= 0) close(file);
}

static void release(struct stream *stream) {
  if (stream->before < 0) return;
  struct stat info;
  if (fstat(stream->number, &info) == 0 && info.st_size > 0) {
    stream->text = malloc((size_t)info.st_size);
    ssize_t count =
        stream->text ? pread(stream->number, stream->text, (size_t)info.st_size, 0) : -1;
    stream->length = count > 0 ? (size_t)count : 0;
  }
  dup2(stream->before, stream->number);
  close(stream->before);
  stream->before = -1;
  // For the keeper's log.
  write_all(stream->number, stream->text, stream->length);
}

void output_release(void) {
  fflush(NULL);
  for (size_t i = 0; i < STREAM_COUNT; i++) release(&streams[i]);
}

void output_keep(void) {
  // A VM that does not start may end the process.
  atexit(output_release);
  for (size_t i = 0; i < STREAM_COUNT; i++) keep(&streams[i]);
}

void output_repeat(void) {
  for (size_t i = 0; i < STREAM_COUNT; i++) {
    write_all(streams[i].number, streams[i].text, streams[i].length);
  }
}
