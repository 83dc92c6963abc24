// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "classpath.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "cold.h"

bool is_class_path_option(const char *arg) {
  return strcmp(arg, "-cp") == 0 || strcmp(arg, "-classpath") == 0 ||
         strcmp(arg, "--class-path") == 0;
}

static bool is_jar_name(const char *name) {
  return (ends_with(name, ".jar") || ends_with(name, ".JAR")) && !strchr(name, ':');
}

// Adds the jars in the directory of a wildcard; false if there are none. The wildcard's own
// spelling goes before each name.
static bool add_jars(struct list *entries, const char *wildcard) {
  char *prefix = copy_part(wildcard, strlen(wildcard) - 1);
  DIR *open = opendir(*prefix ? prefix : ".");
  if (!open) return false;
  bool found = false;
  for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
    if (!is_jar_name(entry->d_name)) continue;
    list_add(entries, join_text(prefix, entry->d_name));
    found = true;
  }
  closedir(open);
  return found;
}

static bool is_wildcard(const char *entry) {
  if (strcmp(entry, "*") != 0 && !ends_with(entry, "/*")) return false;
  return access(entry, F_OK) != 0;
}

static char *join_path(const struct list *entries) {
  struct bytes path = {0};
  for (size_t i = 0; i < entries->count; i++) {
    if (i > 0) bytes_add_text(&path, ":");
    bytes_add_text(&path, entries->item[i]);
  }
  bytes_add(&path, "", 1);
  if (path.failed) run_cold(COLD_OUT_OF_MEMORY);
  return (char *)path.data;
}

static void split_path(const char *path, struct list *out) {
  for (const char *at = path;;) {
    size_t length = strcspn(at, ":");
    list_add(out, copy_part(at, length));
    if (!at[length]) return;
    at += length + 1;
  }
}

char *class_path_expand(const char *path) {
  if (!strchr(path, '*')) return copy_text(path);
  struct list before = {0}, after = {0};
  split_path(path, &before);
  for (size_t i = 0; i < before.count; i++) {
    char *entry = before.item[i];
    if (!is_wildcard(entry) || !add_jars(&after, entry)) list_add(&after, entry);
  }
  return join_path(&after);
}

char *absolute_path(const char *path, const char *cwd) {
  if (!*path) return copy_text(cwd);
  if (*path == '/') return copy_text(path);
  return join_text(join_text(cwd, ends_with(cwd, "/") ? "" : "/"), path);
}

void class_path_split(const char *path, const char *cwd, struct list *out) {
  struct list entries = {0};
  split_path(path, &entries);
  for (size_t i = 0; i < entries.count; i++) list_add(out, absolute_path(entries.item[i], cwd));
}

char *class_path_real(const struct list *entries) {
  struct list resolved = {0};
  for (size_t i = 0; i < entries->count; i++) {
    char *real = realpath(entries->item[i], NULL);
    if (!real) real = entries->item[i];
    if (strchr(real, ':')) run_cold(COLD_COLON_IN_PATH);
    list_add(&resolved, real);
  }
  return join_path(&resolved);
}
