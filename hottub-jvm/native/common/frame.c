// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "frame.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "deadline.h"
#include "fdpass.h"

enum frame_type frame_type(const struct frame_reader *reader) {
  return get_u16(reader->header + 6);
}

uint32_t frame_length(const struct frame_reader *reader) { return get_u32(reader->header + 8); }

uint32_t frame_u32(const struct frame_reader *reader, size_t index) {
  return (index + 1) * 4 <= frame_length(reader) ? get_u32(reader->payload + index * 4) : 0;
}

void frame_reader_reset(struct frame_reader *reader) {
  free(reader->payload);
  fdpass_close(reader->fds, reader->fd_count);
  reader->payload = NULL;
  reader->have = 0;
  reader->fd_count = 0;
}

static enum frame_status check_header(struct frame_reader *reader) {
  if (get_u32(reader->header) != FRAME_MAGIC) return FRAME_BROKEN;
  if (get_u16(reader->header + 4) != FRAME_VERSION) return FRAME_OTHER_VERSION;
  if (frame_type(reader) < FRAME_LEASE || frame_type(reader) > FRAME_RAN) return FRAME_BROKEN;
  if (frame_length(reader) > FRAME_MAX_PAYLOAD) return FRAME_BROKEN;
  reader->payload = malloc(frame_length(reader) + 1);
  return reader->payload ? FRAME_COMPLETE : FRAME_BROKEN;
}

enum frame_status frame_read_some(int fd, struct frame_reader *reader) {
  for (;;) {
    bool in_header = reader->have < FRAME_HEADER_BYTES;
    if (!in_header && reader->have == FRAME_HEADER_BYTES + frame_length(reader)) {
      reader->payload[frame_length(reader)] = 0;
      return FRAME_COMPLETE;
    }
    struct iovec part;
    if (in_header) {
      part = (struct iovec){reader->header + reader->have, FRAME_HEADER_BYTES - reader->have};
    } else {
      size_t done = reader->have - FRAME_HEADER_BYTES;
      part = (struct iovec){reader->payload + done, frame_length(reader) - done};
    }
    size_t fd_count = FRAME_MAX_DESCRIPTORS - reader->fd_count;
    // Never past the end of this frame: descriptors belong to the bytes they came with.
    ssize_t received = fdpass_receive(fd, &part, 1, reader->fds + reader->fd_count, &fd_count);
    if (received < 0) {
      return errno == EAGAIN || errno == EWOULDBLOCK ? FRAME_PARTIAL : FRAME_BROKEN;
    }
    reader->fd_count += fd_count;
    if (received == 0) return reader->have == 0 ? FRAME_CLOSED : FRAME_BROKEN;
    reader->have += (size_t)received;
    if (in_header && reader->have == FRAME_HEADER_BYTES) {
      enum frame_status status = check_header(reader);
      if (status != FRAME_COMPLETE) return status;
    }
  }
}

enum frame_status frame_read(int fd, struct frame_reader *reader, int64_t deadline) {
  for (;;) {
    int ready = deadline_wait(fd, POLLIN, deadline);
    if (ready < 0) return FRAME_BROKEN;
    if (ready == 0) return FRAME_PARTIAL;
    enum frame_status status = frame_read_some(fd, reader);
    if (status != FRAME_PARTIAL) return status;
  }
}

int frame_write(int fd, enum frame_type type, const void *payload, uint32_t length, const int *fds,
                size_t fd_count, int64_t deadline) {
  uint8_t header[FRAME_HEADER_BYTES];
  put_u32(header, FRAME_MAGIC);
  put_u16(header + 4, FRAME_VERSION);
  put_u16(header + 6, type);
  put_u32(header + 8, length);
  size_t total = sizeof header + length;
  size_t sent = 0;
  while (sent < total) {
    struct iovec parts[2];
    size_t part_count = 0;
    if (sent < sizeof header) {
      parts[part_count++] = (struct iovec){header + sent, sizeof header - sent};
    }
    size_t body = sent < sizeof header ? 0 : sent - sizeof header;
    if (body < length) {
      parts[part_count++] = (struct iovec){(uint8_t *)payload + body, length - body};
    }
    // Descriptors travel with the first byte only.
    ssize_t now = fdpass_send(fd, parts, part_count, fds, sent == 0 ? fd_count : 0);
    if (now > 0) {
      sent += (size_t)now;
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    int ready = deadline_wait(fd, POLLOUT, deadline);
    if (ready < 0) return -1;
    if (ready == 0) {
      errno = ETIMEDOUT;
      return -1;
    }
  }
  return 0;
}

int frame_write_u32(int fd, enum frame_type type, const uint32_t *values, size_t count,
                    int64_t deadline) {
  uint8_t payload[20];
  if (count > sizeof payload / 4) {
    errno = EMSGSIZE;
    return -1;
  }
  for (size_t i = 0; i < count; i++) put_u32(payload + 4 * i, values[i]);
  return frame_write(fd, type, payload, (uint32_t)(4 * count), NULL, 0, deadline);
}
