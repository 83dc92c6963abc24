// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Frames, as either end reads them: bytes in arbitrary cuts, some with descriptors.
// Input: for each cut its length, the number of descriptors with it, and its bytes.

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fdpass.h"
#include "frame.h"
#include "fuzz.h"

#define STREAM_MAX (1 << 16)
#define CUTS_MAX 256

const bool target_frees_memory = true;

static int null;
static uint8_t stream[STREAM_MAX];
static struct { size_t at, descriptors; } cuts[CUTS_MAX];

void target_prepare(void) { null = open("/dev/null", O_RDWR | O_CLOEXEC); }

static void send_bytes(int fd, const uint8_t *data, size_t size, size_t descriptors) {
  int fds[FDPASS_MAX];
  for (size_t i = 0; i < descriptors; i++) fds[i] = null;
  struct iovec part = {(void *)data, size};
  EXPECT(fdpass_send(fd, &part, 1, fds, descriptors) == (ssize_t)size);
}

static size_t descriptors_between(size_t from, size_t to, size_t cut_count) {
  size_t sum = 0;
  for (size_t i = 0; i < cut_count; i++) {
    if (cuts[i].at >= from && cuts[i].at < to) sum += cuts[i].descriptors;
  }
  return sum;
}

// A whole frame is exactly what was sent, with the descriptors that were sent with its bytes.
static size_t check_frame(const struct frame_reader *reader, size_t begin, size_t sent,
                          size_t cut_count) {
  uint32_t length = frame_length(reader);
  size_t end = begin + FRAME_HEADER_BYTES + length;
  EXPECT(length <= FRAME_MAX_PAYLOAD && end <= sent);
  EXPECT(frame_type(reader) >= FRAME_LEASE && frame_type(reader) <= FRAME_CLONE);
  EXPECT(memcmp(reader->header, stream + begin, FRAME_HEADER_BYTES) == 0);
  EXPECT(memcmp(reader->payload, stream + begin + FRAME_HEADER_BYTES, length) == 0);
  EXPECT(reader->payload[length] == 0);
  EXPECT(reader->fd_count == descriptors_between(begin, end, cut_count));
  EXPECT(length >= 8 || frame_u32(reader, 1) == 0);
  return end;
}

static enum frame_status read_all(int fd, struct frame_reader *reader, size_t *begin, size_t sent,
                                  size_t cut_count) {
  for (;;) {
    enum frame_status status = frame_read_some(fd, reader);
    if (status != FRAME_COMPLETE) return status;
    *begin = check_frame(reader, *begin, sent, cut_count);
    frame_reader_reset(reader);
  }
}

void target_run(const uint8_t *data, size_t size) {
  struct choices input = {data, size};
  struct frame_reader reader = {0};
  enum frame_status status = FRAME_PARTIAL;
  size_t begin = 0, sent = 0, cut_count = 0;
  int pair[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
  while (input.left > 0 && status == FRAME_PARTIAL && cut_count < CUTS_MAX) {
    size_t length, wanted = 1 + (size_t)choose_u8(&input), descriptors = choose_u8(&input);
    const uint8_t *bytes = choose_bytes(&input, wanted, &length);
    if (length == 0) break;
    if (descriptors > FDPASS_MAX) descriptors = FDPASS_MAX;
    memcpy(stream + sent, bytes, length);
    cuts[cut_count].at = sent;
    cuts[cut_count++].descriptors = descriptors;
    sent += length;
    send_bytes(pair[0], bytes, length, descriptors);
    status = read_all(pair[1], &reader, &begin, sent, cut_count);
  }
  close(pair[0]);
  if (status == FRAME_PARTIAL) {
    status = read_all(pair[1], &reader, &begin, sent, cut_count);
    EXPECT(status == (begin == sent ? FRAME_CLOSED : FRAME_BROKEN));
  }
  EXPECT(status == FRAME_CLOSED || status == FRAME_BROKEN || status == FRAME_OTHER_VERSION);
  frame_reader_reset(&reader);
  close(pair[1]);
}
