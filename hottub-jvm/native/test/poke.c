// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Talks to a keeper from a shell: poke SOCKET COMMAND...
//
//   status | audit | retire     sends the frame, prints the answer
//   revoke SIGNAL
//   raw HEX                     sends these bytes, prints the answer
//   claim PID SECONDS           SOCKET is the file of claims: "claimed", and holds it so long, or
//   "taken"
// Prints the JSON of a STATE frame, else "frame TYPE VALUE...", "closed" or "silent" (9 s).

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bytes.h"
#include "deadline.h"
#include "frame.h"
#include "pool.h"

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

static void send_hex(int fd, const char *hex) {
  for (; hex[0] && hex[1]; hex += 2) {
    char pair[3] = {hex[0], hex[1], 0};
    unsigned char byte = (unsigned char)strtoul(pair, NULL, 16);
    if (send(fd, &byte, 1, MSG_NOSIGNAL) != 1) return;
  }
}

static void print_answer(int fd) {
  struct frame_reader frame = {0};
  switch (frame_read(fd, &frame, monotonic_ms() + 9000)) {
    case FRAME_COMPLETE:
      if (frame_type(&frame) == FRAME_STATE) {
        puts((char *)frame.payload);
        break;
      }
      printf("frame %d", frame_type(&frame));
      for (size_t i = 0; i < frame_length(&frame) / 4; i++) printf(" %u", frame_u32(&frame, i));
      puts("");
      break;
    case FRAME_PARTIAL:
      puts("silent");
      break;
    default:
      puts("closed");
  }
  frame_reader_reset(&frame);
}

static int hold_claim(const char *path, int32_t keeper, double seconds) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  bool claimed = fd >= 0 && pool_claim(fd, keeper);
  puts(claimed ? "claimed" : "taken");
  fflush(stdout);
  if (claimed) usleep((useconds_t)(seconds * 1e6));
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 100;
  const char *command = argv[2];
  uint32_t value = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
  if (strcmp(command, "claim") == 0 && argc > 4) {
    return hold_claim(argv[1], (int32_t)value, strtod(argv[4], NULL));
  }
  int fd = connect_to(argv[1]);
  if (fd < 0) {
    perror(argv[1]);
    return 111;
  }
  int64_t deadline = monotonic_ms() + 3000;
  if (strcmp(command, "status") == 0) frame_write_u32(fd, FRAME_STATUS, NULL, 0, deadline);
  if (strcmp(command, "audit") == 0) frame_write_u32(fd, FRAME_AUDIT, NULL, 0, deadline);
  if (strcmp(command, "retire") == 0) frame_write_u32(fd, FRAME_RETIRE, NULL, 0, deadline);
  if (strcmp(command, "revoke") == 0) frame_write_u32(fd, FRAME_REVOKE, &value, 1, deadline);
  if (strcmp(command, "keep") == 0) frame_write_u32(fd, FRAME_KEEP, &value, 1, deadline);
  if (strcmp(command, "raw") == 0 && argc > 3) send_hex(fd, argv[3]);
  print_answer(fd);
  return 0;
}
