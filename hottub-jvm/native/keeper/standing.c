// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "standing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "log.h"
#include "survey.h"
#include "wanted.h"

int64_t standing_resident_kb(const struct keeper *k) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)k->jvm);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return -1;
  text[length] = '\0';
  long long size, resident;
  if (sscanf(text, "%lld %lld", &size, &resident) != 2) return -1;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// What a clone has not in common with its template: it would be free if the clone ended.
static int64_t own_kb(const struct keeper *k) {
  char path[64], line[128];
  long long all = -1, kb;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)k->jvm);
  FILE *list = fopen(path, "re");
  if (!list) return -1;
  while (fgets(line, sizeof line, list)) {
    if (sscanf(line, "Private_Clean: %lld", &kb) == 1 ||
        sscanf(line, "Private_Dirty: %lld", &kb) == 1) {
      all = (all < 0 ? 0 : all) + kb;
    }
  }
  fclose(list);
  return all;
}

int64_t standing_held_kb(const struct keeper *k) {
  return k->is_clone && k->state == IDLE ? (int64_t)k->worth.memory_kb : standing_resident_kb(k);
}

static bool show(struct keeper *k) {
  if (worth_write(k->pool_dir, getpid(), &k->worth)) return true;
  log_line(k, "cannot write what the JVM is worth: %s", strerror(errno));
  return false;
}

// Without it the JVM would take no place, or show another worth than it has: the pool could grow
// over its limits.
static void show_or_retire(struct keeper *k) {
  if (show(k)) return;
  k->retire_after_lease = true;
  if (!k->retire_reason) k->retire_reason = RETIRED_POOL_UNWRITABLE;
}

bool standing_begin(struct keeper *k) {
  k->worth.since_ms = monotonic_ms();
  return show(k);
}

void standing_idle(struct keeper *k) {
  int64_t held = k->is_clone ? own_kb(k) : standing_resident_kb(k);
  k->worth.leases = k->runs;
  k->worth.memory_kb = held < 0 ? 0 : held > UINT32_MAX ? UINT32_MAX : (uint32_t)held;
  k->worth.since_ms = k->since;
  show_or_retire(k);
}

void standing_end(struct keeper *k) { worth_remove(k->pool_dir, getpid()); }

void standing_kept(struct keeper *k, int64_t until_ms) {
  int64_t now = monotonic_ms();
  // It is said again and again: half of the time is left when it is written again.
  if (k->worth.kept_ms - now > (until_ms - now) / 2) return;
  k->worth.kept_ms = until_ms;
  show_or_retire(k);
}

bool standing_make_room(struct keeper *k) {
  static struct survey survey;
  static size_t victims[ROOM_MAX_JVMS];
  bool self = false;
  pool_limits_read(k->user_dir, &k->limits);  // a run may have lasted for days
  survey_take(k->user_dir, k->fingerprint, &survey);
  int count = room_for_idle(survey.jvms, survey.count, &k->limits, victims);
  for (int i = 0; i < count; i++) {
    const struct room_jvm *jvm = &survey.jvms[victims[i]];
    if (jvm->keeper == getpid()) {
      self = true;
      continue;
    }
    log_line(k, "idle JVMs hold too much memory: ending that of keeper %d", (int)jvm->keeper);
    if (survey_end(k->user_dir, &survey, victims[i])) {
      wanted_note(k->user_dir, survey.fingerprints[victims[i]], survey.taken_ms - jvm->idle_ms);
    }
  }
  return self;
}
