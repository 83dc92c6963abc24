// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "jvm-command.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define HOST_PROGRAM "lib/hottub/pooled-java"
#define LIBRARY_RULES_MAX 128

// The list of native libraries as options of the program: "retire PATTERN" becomes
// "--retire=PATTERN". Returns how many, at most `room`; they stay allocated.
static size_t library_rules(struct keeper *k, char **rules, size_t room) {
  int fd = openat(k->user_dir, "libraries", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
  if (!file) return 0;
  char line[512], verb[8], pattern[256], more;
  size_t count = 0;
  while (fgets(line, sizeof line, file)) {
    int words = sscanf(line, "%7s %255s %c", verb, pattern, &more);
    if (words <= 0 || verb[0] == '#') continue;
    bool known = strcmp(verb, "retire") == 0 || strcmp(verb, "keep") == 0;
    if (words != 2 || !known || count == room ||
        asprintf(&rules[count], "--%s=%s", verb, pattern) < 0) {
      log_line(k, "list of libraries: ignored: %.100s", line);
    } else {
      count++;
    }
  }
  fclose(file);
  return count;
}

char **jvm_command(struct keeper *k) {
  size_t options = 0;
  while (k->options[options]) options++;
  char **argv = calloc(options + LIBRARY_RULES_MAX + 4, sizeof *argv);
  if (!argv || asprintf(&argv[0], "%s/" HOST_PROGRAM, k->home) < 0 ||
      asprintf(&argv[1], "%d", k->control_number) < 0) {
    return NULL;
  }
  size_t count = 2;
  count += library_rules(k, argv + count, LIBRARY_RULES_MAX);
  argv[count++] = "--";
  memcpy(argv + count, k->options, options * sizeof *argv);
  return argv;
}
