// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "home.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int home_path(char *path, size_t size, const char *name) {
  char self[4096];
  // Not readlink, to which a run's program is the client (process-files.c).
  ssize_t length = readlinkat(AT_FDCWD, "/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return -1;
  self[length] = '\0';
  for (int level = 0; level < 3; level++) {  // lib/hottub/pooled-java
    char *slash = strrchr(self, '/');
    if (!slash) return -1;
    *slash = '\0';
  }
  int written = snprintf(path, size, "%s/%s", self, name);
  return written > 0 && (size_t)written < size ? 0 : -1;
}
