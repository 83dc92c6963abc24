// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The rule that finds the root of the pool, with the cases of roots.tsv, which the Java library
// keeps as well: root-test TABLE. Started by root, it also does as another user what root cannot.

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool-root.h"

enum { ANOTHER_USER = 61234, OTHER = 61235, FIELDS = 5 };

static char folder[64];  // "@"
static int failures, done;

// A new text with "@" and "UID" replaced.
static char *filled_in(const char *text) {
  char *out;
  size_t size;
  FILE *stream = open_memstream(&out, &size);
  while (*text) {
    if (*text == '@') {
      fputs(folder, stream);
      text++;
    } else if (strncmp(text, "UID", 3) == 0) {
      fprintf(stream, "%u", geteuid());
      text += 3;
    } else {
      fputc(*text++, stream);
    }
  }
  fclose(stream);
  return out;
}

static bool make_one(const char *name, const char *what) {
  char *path = filled_in(name);
  bool made = false;
  if (what[0] == '>') {
    made = symlink(what + 1, path) == 0;
  } else if (strcmp(what, "file") == 0) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    made = fd >= 0 && close(fd) == 0;
  } else {
    made = mkdir(path, 0700) == 0;
  }
  free(path);
  return made;
}

// Modes come last: what is in a folder is made before nobody may write there.
static bool finish_one(const char *name, const char *what) {
  if (what[0] == '>' || strcmp(what, "file") == 0) return true;
  char *path = filled_in(name);
  bool set = (!strstr(what, "@other") || chown(path, OTHER, OTHER) == 0) &&
             chmod(path, (mode_t)strtoul(what, NULL, 8)) == 0;
  free(path);
  return set;
}

static bool for_each(const char *folders, bool (*act)(const char *, const char *)) {
  char *copy = strdup(folders), *rest = NULL;
  bool ok = true;
  for (char *item = strtok_r(copy, " ", &rest); ok && item; item = strtok_r(NULL, " ", &rest)) {
    char *what = strchr(item, '=');
    if (!what) continue;  // "-"
    *what = '\0';
    char name[256];
    snprintf(name, sizeof name, "@/%s", item);
    ok = act(name, what + 1);
  }
  free(copy);
  return ok;
}

static char *value_of(const char *environment, const char *name) {
  const char *at = strstr(environment, name);
  if (!at) return NULL;
  at += strlen(name) + 1;
  char value[256];
  snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " "), at);
  return filled_in(value);
}

static int forget(const char *path, const struct stat *info, int type, struct FTW *place) {
  (void)info;
  (void)place;
  if (type == FTW_DP) chmod(path, 0700);
  return remove(path);
}

static int open_up(const char *path, const struct stat *info, int type, struct FTW *place) {
  (void)info;
  (void)place;
  if (type == FTW_D || type == FTW_DNR) chmod(path, 0700);
  return 0;
}

static void expect(bool condition, const char *why, const char *expected, const char *got) {
  if (condition) return;
  printf("FAILED: roots.tsv as %u: %s: expected <%s>, got <%s>\n", geteuid(), why, expected, got);
  failures++;
}

// A root that was found can be made, and is then found where it was.
static void check_made(const struct root_places *places, struct root *root, const char *why) {
  struct root again;
  expect(root_make(root) == COLD_NONE, why, "made", "not made");
  expect(root_find(places, &again) == COLD_NONE && strcmp(again.path, root->path) == 0 &&
             again.user_dir >= 0,
         why, root->path, "elsewhere when it was made");
  if (root->user_dir >= 0) close(root->user_dir);
  if (again.user_dir >= 0) close(again.user_dir);
  if (again.dir >= 0) close(again.dir);
}

static void run_case(char **field) {
  strcpy(folder, "/tmp/r.XXXXXX");
  bool ready = mkdtemp(folder) && chmod(folder, 0755) == 0 && for_each(field[2], make_one) &&
               for_each(field[2], finish_one);
  expect(ready, field[4], "folders", "none");
  struct root root;
  char system[128], users[128], got[PATH_MAX + 64];
  snprintf(system, sizeof system, "%s/run/hottub", folder);
  snprintf(users, sizeof users, "%s/users", folder);
  struct root_places places = {system, users, value_of(field[1], "HOTTUB_DIR"),
                               value_of(field[1], "XDG_RUNTIME_DIR")};
  enum cold_reason reason = root_find(&places, &root);
  if (reason == COLD_NONE) {
    snprintf(got, sizeof got, "%s", root.path);
  } else {
    snprintf(got, sizeof got, "none: %s", cold_word(reason));
  }
  char *expected = filled_in(field[3]);
  expect(strcmp(got, expected) == 0, field[4], expected, got);
  if (reason == COLD_NONE) check_made(&places, &root, field[4]);
  free(expected);
  free((char *)places.chosen);
  free((char *)places.runtime);
  nftw(folder, open_up, 16, FTW_PHYS);
  nftw(folder, forget, 16, FTW_DEPTH | FTW_PHYS);
  done++;
}

// The cases that this user can have.
static int run_all(FILE *table) {
  char line[1024];
  const char *not_ours = geteuid() == 0 ? "user" : "root";
  while (fgets(line, sizeof line, table)) {
    char *field[FIELDS], *rest = line;
    if (line[0] == '#') continue;
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++) field[i] = strsep(&rest, "\t");
    if (!field[FIELDS - 1] || rest) {
      printf("FAILED: roots.tsv: not %d fields: %s\n", FIELDS, line);
      failures++;
    } else if (strcmp(field[0], not_ours) != 0) {
      run_case(field);
    }
  }
  return failures || !done;
}

int main(int argc, char **argv) {
  umask(022);
  FILE *table = argc == 2 ? fopen(argv[1], "re") : NULL;
  if (!table) return 100;
  int status = run_all(table);
  if (geteuid() != 0) return status;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    rewind(table);
    failures = done = 0;
    if (setresgid(ANOTHER_USER, ANOTHER_USER, ANOTHER_USER) != 0 ||
        setresuid(ANOTHER_USER, ANOTHER_USER, ANOTHER_USER) != 0) {
      _exit(111);
    }
    status = run_all(table);
    fflush(stdout);
    _exit(status);
  }
  int ended = 1;
  waitpid(child, &ended, 0);
  return status || ended != 0;
}
