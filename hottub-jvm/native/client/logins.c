// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "logins.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_yes(const char *word) {
  static const char *const words[] = {"1", "yes", "y", "true", "t", "on", NULL};
  bool is = false;
  for (size_t i = 0; words[i]; i++) is |= strcasecmp(word, words[i]) == 0;
  return is;
}

static bool is_set_in(const char *path) {
  FILE *file = fopen(path, "re");
  char line[512], word[16];
  bool is_set = false;
  while (file && !is_set && fgets(line, sizeof line, file)) {
    is_set = sscanf(line, " KillUserProcesses = %15[a-zA-Z0-9]", word) == 1 && is_yes(word);
  }
  if (file) fclose(file);
  return is_set;
}

// Which of several settings counts is not looked for: one that may count is enough to be careful.
bool logins_end_processes(void) {
  static const char *const patterns[] = {
      "/etc/systemd/logind.conf", "/etc/systemd/logind.conf.d/*.conf",
      "/run/systemd/logind.conf.d/*.conf", "/usr/lib/systemd/logind.conf",
      "/usr/lib/systemd/logind.conf.d/*.conf"};
  bool is_set = false;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !is_set; i++) {
    glob_t files = {0};
    if (glob(patterns[i], GLOB_NOSORT, NULL, &files) == 0) {
      for (size_t j = 0; j < files.gl_pathc && !is_set; j++) is_set = is_set_in(files.gl_pathv[j]);
    }
    globfree(&files);
  }
  return is_set;
}
