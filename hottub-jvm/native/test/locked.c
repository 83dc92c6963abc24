// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Locks a file and becomes a program that inherits it:
//
//   locked posix|open-file|flock FILE PROGRAM ARGUMENT...

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int fd = open(argv[2], O_RDWR | O_CREAT, 0600);
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int locked = strcmp(argv[1], "posix") == 0       ? fcntl(fd, F_SETLK, &whole)
               : strcmp(argv[1], "open-file") == 0 ? fcntl(fd, F_OFD_SETLK, &whole)
                                                   : flock(fd, LOCK_EX | LOCK_NB);
  if (fd < 0 || locked != 0) {
    perror(argv[2]);
    return 1;
  }
  execvp(argv[3], argv + 3);
  perror(argv[3]);
  return 1;
}
