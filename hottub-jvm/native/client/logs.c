// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "logs.h"

#include <ctype.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

// In the order of HotSpot: each level has the messages of those after it.
static const char *const levels[] = {"trace", "debug", "info", "warning", "error", "off"};
enum level { TRACE, DEBUG, INFO, LEVEL_COUNT = sizeof levels / sizeof levels[0] };

// Selections of messages, and down to which level a stock JVM logs nothing of them before main but
// what hottubRunLogs.cpp repeats. LogIT compares each of them with the stock JVM.
static const struct {
  const char *name;
  enum level lowest;
} selections[] = {
    {"gc", INFO},
    {"gc*", INFO},
    {"gc+age", TRACE},
    {"gc+age*", TRACE},
    {"gc+cpu", INFO},
    {"gc+cpu*", INFO},
    {"gc+ergo", DEBUG},
    {"gc+heap", DEBUG},
    {"gc+heap*", INFO},
    {"gc+humongous", DEBUG},
    {"gc+init", INFO},
    {"gc+marking", INFO},
    {"gc+metaspace", INFO},
    {"gc+metaspace*", INFO},
    {"gc+phases", DEBUG},
    {"gc+phases*", DEBUG},
    {"gc+promotion", TRACE},
    {"gc+ref", DEBUG},
    {"gc+ref*", DEBUG},
    {"gc+start", INFO},
    {"gc+start*", INFO},
    {"gc+task", INFO},
    {"gc+task*", INFO},
    {"safepoint", INFO},
};

static const char *const decorators[] = {
    "time",     "t",  "utctime",      "utc", "uptime", "u", "timemillis",  "tm",
    "hostname", "hn", "timenanos",    "tn",  "pid",    "p", "uptimenanos", "un",
    "tid",      "ti", "uptimemillis", "um",  "level",  "l", "tags",        "tg"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_selection(const char *text) {
  const char *equals = strchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  enum level level = INFO;
  if (equals) {
    level = 0;
    while (level < LEVEL_COUNT && strcmp(levels[level], equals + 1) != 0) level++;
    if (level == LEVEL_COUNT) return false;
  }
  for (size_t i = 0; i < COUNT(selections); i++) {
    if (strlen(selections[i].name) == length && strncmp(selections[i].name, text, length) == 0) {
      return level >= selections[i].lowest;
    }
  }
  return false;
}

static bool is_decorator(const char *text) {
  for (size_t i = 0; i < COUNT(decorators); i++) {
    if (strcmp(decorators[i], text) == 0) return true;
  }
  return false;
}

// filecount=N and filesize=N[kmg], as LogFileOutput reads them; numbers beyond its bounds are
// errors there.
static bool is_file_option(const char *text) {
  bool is_count = starts_with(text, "filecount="), is_size = starts_with(text, "filesize=");
  if (!is_count && !is_size) return false;
  const char *digits = strchr(text, '=') + 1;
  char *end;
  if (!isdigit((unsigned char)*digits) || strlen(digits) > 9) return false;
  unsigned long value = strtoul(digits, &end, 10);
  if (is_count) return *end == '\0' && value <= 1000;
  return *end == '\0' || (strchr("kKmMgG", *end) && end[1] == '\0');
}

// Every part of a list that commas separate; an empty list has one part, which is empty.
static bool all_parts(const char *list, bool (*is_right)(const char *part)) {
  bool all = true;
  for (const char *part = list; part && all;) {
    const char *comma = strchr(part, ',');
    char *copy = copy_part(part, comma ? (size_t)(comma - part) : strlen(part));
    all = is_right(copy);
    part = comma ? comma + 1 : NULL;
  }
  return all;
}

// A new file in a folder that this process may write, or an ordinary one that it may write. A
// placeholder stands for digits of the JVM, so such a file is taken for a new one.
static bool can_be_opened(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (!*name) return false;
  char *folder = slash ? copy_part(path, (size_t)(name - path)) : copy_part(".", 1);
  bool can = !strchr(folder, '%') && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
  struct stat info;
  if (!can || strchr(name, '%') || lstat(path, &info) != 0) return can;
  return S_ISREG(info.st_mode) && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static bool is_output(const char *text) {
  if (!*text || strcmp(text, "stdout") == 0 || strcmp(text, "stderr") == 0) return true;
  if (*text == '#' || (strchr(text, '=') && !starts_with(text, "file="))) return false;
  return can_be_opened(starts_with(text, "file=") ? text + strlen("file=") : text);
}

// -Xlog:SELECTIONS[:OUTPUT[:DECORATORS[:OPTIONS]]]
enum { WHAT, OUTPUT, DECORATORS, OPTIONS, PARTS };

static bool is_pooled(char *parts[PARTS]) {
  bool is_file = *parts[OUTPUT] && strcmp(parts[OUTPUT], "stdout") != 0 &&
                 strcmp(parts[OUTPUT], "stderr") != 0;
  return all_parts(parts[WHAT], is_selection) && is_output(parts[OUTPUT]) &&
         (!*parts[DECORATORS] || strcmp(parts[DECORATORS], "none") == 0 ||
          all_parts(parts[DECORATORS], is_decorator)) &&
         (!*parts[OPTIONS] || (is_file && all_parts(parts[OPTIONS], is_file_option)));
}

// What was before -Xlog, beside -Xloggc:FILE.
static const char *const old_flags[] = {"-XX:+PrintGC", "-XX:-PrintGC", "-XX:+PrintGCDetails",
                                        "-XX:-PrintGCDetails"};

static bool is_old_spelling(const char *option) {
  for (size_t i = 0; i < COUNT(old_flags); i++) {
    if (strcmp(option, old_flags[i]) == 0) return true;
  }
  if (!starts_with(option, "-Xloggc:")) return false;
  const char *file = option + strlen("-Xloggc:");
  return *file && !strpbrk(file, "\":") && is_output(file);
}

bool logs_are_pooled(const char *option) {
  if (strcmp(option, "-verbose:gc") == 0 || is_old_spelling(option)) return true;
  // Quotes are for names with a colon.
  if (!starts_with(option, "-Xlog:") || strchr(option, '"')) return false;
  char *copy = copy_part(option, strlen(option));
  char *parts[PARTS] = {"", "", "", ""};
  char *rest = copy + strlen("-Xlog:");
  int count = 0;
  for (; rest && count < PARTS; count++) {
    parts[count] = rest;
    rest = strchr(rest, ':');
    if (rest) *rest++ = '\0';
  }
  bool pooled = !rest && is_pooled(parts);
  return pooled;
}
