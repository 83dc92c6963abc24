// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "cgroup.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX_BYTES (1024 * 1024)
#define GROUPS_MAX 32
#define CONTAINER_PREFIX "container_"  // YARN names a group like the container that it is made for

// Version 1 says "none" by a number that no machine has.
#define NO_LIMIT (1ull << 60)

// The group of a process in one hierarchy.
struct group {
  const char *controllers;  // empty: version 2
  const char *path;         // in the hierarchy
};

struct groups {
  char *text;  // what the items point into
  struct group item[GROUPS_MAX];
  size_t count;
  char *mountinfo;  // NULL until it is needed
  const char *mount[GROUPS_MAX];
  size_t mount_count;
};

// A file of the kernel, which does not tell its size. NULL with errno; free() it.
static char *read_file(const char *path) {
  size_t room = 4096, length = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *text = fd < 0 ? NULL : malloc(room);
  while (text) {
    ssize_t got = read(fd, text + length, room - 1 - length);
    if (got <= 0) break;
    length += (size_t)got;
    if (length < room - 1) continue;
    char *more = room < TEXT_MAX_BYTES ? realloc(text, room *= 2) : NULL;
    if (!more) free(text);
    text = more;
  }
  if (fd >= 0) close(fd);
  if (text) text[length] = '\0';
  return text;
}

static void mounts_read(struct groups *groups) {
  char *rest = NULL;
  groups->mountinfo = read_file("/proc/self/mountinfo");
  for (char *line = groups->mountinfo ? strtok_r(groups->mountinfo, "\n", &rest) : NULL;
       line && groups->mount_count < GROUPS_MAX; line = strtok_r(NULL, "\n", &rest)) {
    if (strstr(line, " - cgroup")) groups->mount[groups->mount_count++] = line;
  }
}

static bool has_name_only(const char *controllers) { return strncmp(controllers, "name=", 5) == 0; }

// Those that have only a name, too, in which nobody is moved?
enum hierarchies { WITH_CONTROLLERS, ALL };

static void groups_read(pid_t process, enum hierarchies which, struct groups *groups) {
  char path[64], *rest = NULL;
  snprintf(path, sizeof path, "/proc/%d/cgroup", (int)process);
  *groups = (struct groups){.text = read_file(path)};
  for (char *line = groups->text ? strtok_r(groups->text, "\n", &rest) : NULL;
       line && groups->count < GROUPS_MAX; line = strtok_r(NULL, "\n", &rest)) {
    char *controllers = strchr(line, ':');
    char *place = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!place || (which != ALL && has_name_only(controllers + 1))) continue;
    *place = '\0';
    groups->item[groups->count++] = (struct group){controllers + 1, place + 1};
  }
}

static void groups_free(struct groups *groups) {
  free(groups->text);
  free(groups->mountinfo);
}

static const struct group *same_hierarchy(const struct groups *groups, const struct group *group) {
  for (size_t i = 0; i < groups->count; i++) {
    if (strcmp(groups->item[i].controllers, group->controllers) == 0) return &groups->item[i];
  }
  return NULL;
}

// Whether a list with commas has a word.
static bool has_word(const char *list, const char *word, size_t length) {
  for (const char *at = list; *at;) {
    size_t here = strcspn(at, ",");
    if (here == length && strncmp(at, word, length) == 0) return true;
    at += here + (at[here] == ',');
  }
  return false;
}

static bool has_controller(const struct group *group, const char *name) {
  return has_word(group->controllers, name, strlen(name));
}

static bool is_of_container(const struct group *group) {
  const char *name = strrchr(group->path, '/');
  return name && strncmp(name + 1, CONTAINER_PREFIX, strlen(CONTAINER_PREFIX)) == 0;
}

// One line of /proc/self/mountinfo (proc(5)): whether it mounts the hierarchy, what of it, and
// where.
static bool mounts(const char *line, const struct group *group, char root[PATH_MAX],
                   char point[PATH_MAX]) {
  char type[16], options[256];
  const char *end = strstr(line, " - ");
  if (!end || sscanf(end, " - %15s %*s %255s", type, options) != 2) return false;
  if (*group->controllers == '\0') {
    if (strcmp(type, "cgroup2") != 0) return false;
  } else if (strcmp(type, "cgroup") != 0 ||
             !has_word(options, group->controllers, strcspn(group->controllers, ","))) {
    return false;
  }
  return sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) == 2;
}

// Writes the folder of the hierarchy's mount, and where the group is below it. False if it cannot
// be seen from here.
static bool locate(const struct groups *groups, const struct group *group, char mount[PATH_MAX],
                   char below[PATH_MAX]) {
  char root[PATH_MAX];
  for (size_t i = 0; i < groups->mount_count; i++) {
    if (!mounts(groups->mount[i], group, root, mount)) continue;
    size_t skip = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(group->path, root, skip) != 0) continue;
    if (skip && group->path[skip] != '/' && group->path[skip] != '\0') continue;
    if (snprintf(below, PATH_MAX, "%s", group->path + skip) >= PATH_MAX) continue;
    if (strcmp(below, "/") == 0) below[0] = '\0';
    return true;
  }
  return false;
}

static bool folder_of(const struct groups *groups, const struct group *group,
                      char folder[PATH_MAX]) {
  char mount[PATH_MAX], below[PATH_MAX];
  return locate(groups, group, mount, below) &&
         snprintf(folder, PATH_MAX, "%s%s", mount, below) < PATH_MAX;
}

// ---- limits

// Without the end of its line; NULL if there is no such file. free() it.
static char *read_limit(const char *folder, const char *name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX) return NULL;
  char *text = read_file(path);
  if (text) text[strcspn(text, "\n")] = '\0';
  return text;
}

// Adds what a file says, unless that is "no limit".
static bool add_limit(struct bytes *out, const char *place, const char *folder, const char *name) {
  char *text = read_limit(folder, name);
  bool is_limit = text && *text && *text != '-' && strncmp(text, "max", 3) != 0 &&
                  strtoull(text, NULL, 10) < NO_LIMIT;
  if (is_limit) bytes_format(out, "%s:%s=%s\n", place, name, text);
  free(text);
  return is_limit;
}

static bool add_limits(struct bytes *out, const struct group *group, const char *place,
                       const char *folder) {
  bool any = false;
  if (*group->controllers == '\0') {
    any |= add_limit(out, place, folder, "cpu.max");
    any |= add_limit(out, place, folder, "memory.max");
    any |= add_limit(out, place, folder, "memory.swap.max");
  }
  if (has_controller(group, "cpu") && add_limit(out, place, folder, "cpu.cfs_quota_us")) {
    any = add_limit(out, place, folder, "cpu.cfs_period_us");
  }
  if (has_controller(group, "memory")) {
    any |= add_limit(out, place, folder, "memory.limit_in_bytes");
    any |= add_limit(out, place, folder, "memory.memsw.limit_in_bytes");
  }
  return any;
}

static bool limits_tasks(const struct group *group) {
  return *group->controllers == '\0' || has_controller(group, "pids");
}

// UINT64_MAX if there is no such number.
static uint64_t read_number(const char *folder, const char *name) {
  char *text = read_limit(folder, name);
  uint64_t number = text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
  free(text);
  return number;
}

// Of processes and threads. The lowest one counts, wherever it is set: each unit of systemd has
// one, and most have the same.
static void lower_tasks(uint64_t *tasks, const struct group *group, const char *folder) {
  if (!limits_tasks(group)) return;
  uint64_t limit = read_number(folder, "pids.max");
  if (limit < *tasks) *tasks = limit;
}

static void lower_tasks_left(uint64_t *left, const char *folder) {
  uint64_t limit = read_number(folder, "pids.max");
  if (limit == UINT64_MAX) return;
  uint64_t used = read_number(folder, "pids.current");
  uint64_t here = used < limit ? limit - used : 0;
  if (here < *left) *left = here;
}

// From the path of a group below the mount to that of its parent; false if it has none there.
static bool to_parent(char *below) {
  char *slash = strrchr(below, '/');
  if (slash) *slash = '\0';
  return slash;
}

static bool may_limit(const struct group *group) {
  return *group->controllers == '\0' || has_controller(group, "cpu") ||
         has_controller(group, "memory") || has_controller(group, "pids");
}

// Those of one hierarchy, from the group up. True if a container's group sets some.
static bool add_hierarchy(struct bytes *out, uint64_t *tasks, const struct groups *groups,
                          const struct group *group) {
  char mount[PATH_MAX], below[PATH_MAX], folder[PATH_MAX];
  if (!may_limit(group) || !locate(groups, group, mount, below)) return false;
  bool of_container = is_of_container(group), own = false;
  while (snprintf(folder, sizeof folder, "%s%s", mount, below) < PATH_MAX) {
    bool any = add_limits(out, group, of_container ? "" : folder, folder);
    own |= of_container && any;
    lower_tasks(tasks, group, folder);
    of_container = false;
    if (!to_parent(below)) break;
  }
  return own;
}

bool cgroup_limits(pid_t process, struct bytes *out) {
  struct groups groups;
  uint64_t tasks = UINT64_MAX;
  bool own = false;
  groups_read(process, WITH_CONTROLLERS, &groups);
  mounts_read(&groups);
  for (size_t i = 0; i < groups.count; i++) {
    own |= add_hierarchy(out, &tasks, &groups, &groups.item[i]);
  }
  groups_free(&groups);
  if (tasks != UINT64_MAX) bytes_format(out, "tasks=%llu\n", (unsigned long long)tasks);
  return own;
}

uint64_t cgroup_tasks_left(pid_t process) {
  struct groups groups;
  uint64_t left = UINT64_MAX;
  groups_read(process, WITH_CONTROLLERS, &groups);
  mounts_read(&groups);
  for (size_t i = 0; i < groups.count; i++) {
    char mount[PATH_MAX], below[PATH_MAX], folder[PATH_MAX];
    if (!limits_tasks(&groups.item[i]) || !locate(&groups, &groups.item[i], mount, below)) continue;
    while (snprintf(folder, sizeof folder, "%s%s", mount, below) < PATH_MAX) {
      lower_tasks_left(&left, folder);
      if (!to_parent(below)) break;
    }
  }
  groups_free(&groups);
  return left;
}

// ---- places

// Those by which others end processes.
static bool is_for_killing(const struct group *group) {
  return *group->controllers == '\0' || has_name_only(group->controllers) ||
         has_controller(group, "freezer");
}

// Of systemd, for processes that it has not started: those of a login, or what wants limits.
static bool is_scope(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && strcmp(dot, ".scope") == 0;
}

bool cgroup_places(pid_t process, struct bytes *out) {
  struct groups groups;
  bool in_scope = false;
  groups_read(process, ALL, &groups);
  for (size_t i = 0; i < groups.count; i++) {
    const struct group *group = &groups.item[i];
    if (!is_for_killing(group) || strcmp(group->path, "/") == 0) continue;
    in_scope |= is_scope(group->path);
    bytes_format(out, "%s:%s\n", group->controllers, group->path);
  }
  groups_free(&groups);
  return in_scope;
}

// ---- membership

static bool procs_of(const struct groups *groups, const struct group *group, char procs[PATH_MAX]) {
  char folder[PATH_MAX];
  return folder_of(groups, group, folder) &&
         snprintf(procs, PATH_MAX, "%s/cgroup.procs", folder) < PATH_MAX;
}

// Where a keeper goes that was started in the group of a container.
static bool idle_procs_of(const struct groups *groups, const struct group *group,
                          char procs[PATH_MAX]) {
  char folder[PATH_MAX];
  if (!folder_of(groups, group, folder)) return false;
  *strrchr(folder, '/') = '\0';
  return snprintf(procs, PATH_MAX, "%s/" CGROUP_IDLE "/cgroup.procs", folder) < PATH_MAX;
}

bool cgroup_may_be_joined(void) {
  struct groups groups;
  bool may = true;
  groups_read(getpid(), WITH_CONTROLLERS, &groups);
  mounts_read(&groups);
  for (size_t i = 0; i < groups.count && may; i++) {
    const struct group *group = &groups.item[i];
    char procs[PATH_MAX], idle[PATH_MAX];
    if (!is_of_container(group)) continue;
    may = procs_of(&groups, group, procs) && access(procs, W_OK) == 0 &&
          idle_procs_of(&groups, group, idle) && access(idle, W_OK) == 0;
  }
  groups_free(&groups);
  return may;
}

static bool move_to(pid_t process, const char *procs) {
  char number[16];
  int length = snprintf(number, sizeof number, "%d", (int)process);
  int fd = open(procs, O_WRONLY | O_CLOEXEC);
  bool moved = fd >= 0 && write(fd, number, (size_t)length) == length;
  if (fd >= 0) close(fd);
  return moved;
}

int cgroup_follow(pid_t process, pid_t other, int *failed) {
  struct groups now, wanted;
  int moved = 0;
  *failed = 0;
  groups_read(process, WITH_CONTROLLERS, &now);
  groups_read(other, WITH_CONTROLLERS, &wanted);
  for (size_t i = 0; i < wanted.count; i++) {
    const struct group *group = &wanted.item[i];
    const struct group *before = same_hierarchy(&now, group);
    char procs[PATH_MAX];
    if (before && strcmp(before->path, group->path) == 0) continue;
    if (!wanted.mountinfo) mounts_read(&wanted);
    if (procs_of(&wanted, group, procs) && move_to(process, procs)) {
      moved++;
    } else {
      ++*failed;
    }
  }
  groups_free(&now);
  groups_free(&wanted);
  return moved;
}

int cgroup_leave_container(int *failed) {
  struct groups groups;
  int moved = 0;
  *failed = 0;
  groups_read(getpid(), WITH_CONTROLLERS, &groups);
  for (size_t i = 0; i < groups.count; i++) {
    char procs[PATH_MAX];
    if (!is_of_container(&groups.item[i])) continue;
    if (!groups.mountinfo) mounts_read(&groups);
    if (idle_procs_of(&groups, &groups.item[i], procs) && move_to(getpid(), procs)) {
      moved++;
    } else {
      ++*failed;
    }
  }
  groups_free(&groups);
  return moved;
}
