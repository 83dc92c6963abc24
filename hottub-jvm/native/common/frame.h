// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_FRAME_H_
#define HOTTUB_FRAME_H_

// Frames on the Unix socket between a client (or the pool service) and a keeper. docs/protocol.md,
// "Frames", is the contract.

#include <stddef.h>
#include <stdint.h>

#define FRAME_MAGIC UINT32_C(0x42555448)  // "HTUB"
// Tests have programs of another version.
#ifndef FRAME_VERSION
#define FRAME_VERSION 1
#endif
#define FRAME_HEADER_BYTES 12
#define FRAME_MAX_PAYLOAD (64u * 1024)
#define FRAME_MAX_DESCRIPTORS 2  // of LEASE: handover, claim
#define FRAME_DEADLINE_MS 2000   // for one whole frame

enum frame_type {
  FRAME_LEASE = 1,
  FRAME_GRANTED = 2,
  FRAME_REFUSED = 3,
  FRAME_ENTERED = 4,
  FRAME_EXIT = 5,
  FRAME_SIGNAL = 6,
  FRAME_STATUS = 7,
  FRAME_STATE = 8,
  FRAME_REVOKE = 9,
  FRAME_RETIRE = 10,
  FRAME_DONE = 11,
  FRAME_AUDIT = 12,
  FRAME_STOPPED = 13,
  FRAME_KEEP = 14,
  FRAME_CHILDREN = 15,
  FRAME_GROUP_SIGNAL = 16,
  FRAME_ALONE = 17,
  FRAME_CLONE = 18,
  FRAME_RAN = 19,
};

enum frame_exit_kind { EXIT_STATUS = 0, EXIT_SIGNAL = 1, EXIT_FALLBACK = 2 };

// A frame that is being received, byte by byte if need be. Zero it (FRAME_READER_EMPTY) before
// first use.
struct frame_reader {
  uint8_t header[FRAME_HEADER_BYTES];
  uint8_t *payload;  // NUL-terminated when complete
  size_t have;       // bytes of header and payload so far
  int fds[FRAME_MAX_DESCRIPTORS];
  size_t fd_count;
};

enum frame_status {
  FRAME_COMPLETE,  // type, length, payload and fds are set
  FRAME_PARTIAL,   // nothing more to read now
  FRAME_CLOSED,    // the other side closed between two frames
  FRAME_BROKEN,  // wrong magic, length, type, too many descriptors, end inside a frame, or an error
                 // of the socket
  FRAME_OTHER_VERSION,
};

// Reads what is there, without waiting, at most up to the end of the current frame.
enum frame_status frame_read_some(int fd, struct frame_reader *reader);

// Waits for one whole frame until the deadline (deadline.h); FRAME_PARTIAL means that the deadline
// has passed.
enum frame_status frame_read(int fd, struct frame_reader *reader, int64_t deadline);

enum frame_type frame_type(const struct frame_reader *reader);
uint32_t frame_length(const struct frame_reader *reader);

// The index-th little-endian u32 of the payload; 0 beyond its end.
uint32_t frame_u32(const struct frame_reader *reader, size_t index);

// Frees the payload, closes descriptors that were not taken, and makes the reader ready for the
// next frame.
void frame_reader_reset(struct frame_reader *reader);

// Writes one frame; waits for room until the deadline. 0, or -1 with errno (ETIMEDOUT: the deadline
// has passed).
int frame_write(int fd, enum frame_type type, const void *payload, uint32_t length, const int *fds,
                size_t fd_count, int64_t deadline);

// The same with a payload of count u32 values.
int frame_write_u32(int fd, enum frame_type type, const uint32_t *values, size_t count,
                    int64_t deadline);

#endif  // HOTTUB_FRAME_H_
