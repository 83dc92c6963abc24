// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "jvm-command.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// The JVM writes a log of its leases beside ours, if the file `jvm-log` names a level: the option
// for it, or NULL.
static char *log_option(struct keeper *k) {
  static const char *const levels[] = {"info", "debug", "trace"};
  char text[16], level[8], more;
  int fd = openat(k->user_dir, "jvm-log", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  text[length < 0 ? 0 : length] = '\0';
  char *option = NULL;
  bool known = sscanf(text, "%7s %c", level, &more) == 1;
  for (size_t i = 0; known && i < sizeof levels / sizeof *levels; i++) {
    // One file for ever: the descriptor of a second one would not be the JVM's from S0 on.
    if (strcmp(level, levels[i]) == 0 &&
        asprintf(&option, "-Xlog:hottub*=%s:file=jvm-%%p.log:utctime,level,tags:filecount=0",
                 level) < 0) {
      return NULL;
    }
  }
  if (fd >= 0 && !option) log_line(k, "jvm-log names no level: info, debug or trace");
  return option;
}

char **jvm_command(struct keeper *k) {
  char **argv = calloc(LIBRARY_RULES_MAX + 6, sizeof *argv);
  if (!argv || asprintf(&argv[0], "%s/" HOST_PROGRAM, k->home) < 0 ||
      asprintf(&argv[1], "%d", k->control_number) < 0 || asprintf(&argv[2], "%d", k->options) < 0) {
    return NULL;
  }
  size_t count = 3;
  count += library_rules(k, argv + count, LIBRARY_RULES_MAX);
  argv[count++] = "--";
  char *log = log_option(k);
  if (log) argv[count++] = log;
  return argv;
}
