// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "control.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "bytes.h"
#include "fdpass.h"

#define HEADER_BYTES 24

int control_send(int fd, const struct control_message *message, const int *fds, size_t fd_count) {
  if (message->text_length > CONTROL_MAX_TEXT || fd_count > CONTROL_MAX_DESCRIPTORS) {
    errno = EMSGSIZE;
    return -1;
  }
  uint8_t header[HEADER_BYTES];
  put_u32(header, message->type);
  put_u32(header + 4, message->value);
  put_u64(header + 8, message->a);
  put_u64(header + 16, message->b);
  struct iovec parts[2] = {{header, sizeof header}, {(void *)message->text, message->text_length}};
  return fdpass_send(fd, parts, 2, fds, fd_count) < 0 ? -1 : 0;
}

int control_say(int fd, enum control_type type, uint32_t value, uint64_t a, const char *text) {
  struct control_message message = {.type = type, .value = value, .a = a};
  size_t length = text ? strlen(text) : 0;
  if (length > CONTROL_MAX_TEXT) length = CONTROL_MAX_TEXT;
  if (length) memcpy(message.text, text, length);
  message.text_length = (uint32_t)length;
  return control_send(fd, &message, NULL, 0);
}

int control_receive(int fd, struct control_message *message, int *fds, size_t *fd_count) {
  uint8_t header[HEADER_BYTES];
  struct iovec parts[2] = {{header, sizeof header}, {message->text, CONTROL_MAX_TEXT}};
  ssize_t received = fdpass_receive(fd, parts, 2, fds, fd_count);
  if (received < 0) return -1;
  if (received == 0) return 0;
  if (received < HEADER_BYTES) {
    fdpass_close(fds, *fd_count);
    *fd_count = 0;
    errno = EPROTO;
    return -1;
  }
  message->type = get_u32(header);
  message->value = get_u32(header + 4);
  message->a = get_u64(header + 8);
  message->b = get_u64(header + 16);
  message->text_length = (uint32_t)(received - HEADER_BYTES);
  message->text[message->text_length] = '\0';
  return 1;
}
