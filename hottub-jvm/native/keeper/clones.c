// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "clones.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "fdpass.h"
#include "jvm.h"
#include "log.h"
#include "survey.h"

// The kernel lacks processes or memory, mostly for longer than a run lasts.
#define REFUSED_MS 5000

// As for any other task of a JVM between runs.
#define ANSWER_MS 10000

// At most as many are made ahead.
#define READY_MAX 20

// A run that compiles less than this leaves little to do for the next one.
#define QUIET_COMPILATIONS 40

bool clones_may_begin(struct keeper *k) {
  if (k->runs == 0 || clones_are_refused(k)) return false;
  log_line(k, "run %u compiled %d methods", k->runs, k->compilations_last);
  return k->compilations_last < QUIET_COMPILATIONS || k->runs >= k->limits.training_runs;
}

// The keeper of another template, but for the one that this JVM is to follow. 0: none.
static int32_t other_template(const struct keeper *k) {
  int32_t template = pool_template(k->pool_dir);
  return template == getpid() || template == k->parent ? 0 : template;
}

bool clones_begin(struct keeper *k) {
  char own[16], name[32];
  if (other_template(k) > 0) return false;
  if (pool_template(k->pool_dir) == getpid()) return true;
  snprintf(own, sizeof own, "%d", (int)getpid());
  snprintf(name, sizeof name, POOL_DRAFT_PREFIX "%d", (int)getpid());
  // At once in place of that of a dead one, or of the one that it follows.
  unlinkat(k->pool_dir, name, 0);
  return symlinkat(own, k->pool_dir, name) == 0 &&
         renameat(k->pool_dir, name, k->pool_dir, POOL_TEMPLATE) == 0;
}

void clones_end(struct keeper *k) {
  if (pool_template(k->pool_dir) == getpid()) unlinkat(k->pool_dir, POOL_TEMPLATE, 0);
}

bool clones_is_spare(const struct keeper *k) { return k->may_freeze && other_template(k) > 0; }

// Clones that wait for a run take places of the pool and memory, as all JVMs, but nobody gives way
// for them.
static bool is_there_room(struct keeper *k) {
  static struct survey survey;
  static size_t victims[ROOM_MAX_JVMS];
  pool_limits_read(k->user_dir, &k->limits);
  survey_take(k->user_dir, k->fingerprint, &survey);
  return survey.same_kind < k->limits.max_jvms_per_fingerprint &&
         room_for_newcomer(survey.jvms, survey.count, &k->limits, INT64_MAX, victims) == 0;
}

bool clones_are_refused(const struct keeper *k) { return monotonic_ms() < k->refused_until; }

void clones_refused(struct keeper *k, const char *why) {
  log_line(k, "no clones for a while: %.300s", why);
  k->refused_until = monotonic_ms() + REFUSED_MS;
}

void clones_answered(struct keeper *k) {
  if (k->asked > 0) k->asked--;
  k->answer_by = k->asked > 0 ? monotonic_ms() + ANSWER_MS : DEADLINE_NONE;
}

bool clones_request(struct keeper *k, int connection, uint32_t generation) {
  struct control_message clone = {.type = CONTROL_CLONE, .value = generation};
  clone.text_length = (uint32_t)strlen(k->fingerprint);
  memcpy(clone.text, k->fingerprint, clone.text_length);
  int fds[2] = {k->user_dir, connection};
  if (control_send(k->control, &clone, fds, connection < 0 ? 1 : 2) == 0) {
    if (k->asked++ == 0) k->answer_by = monotonic_ms() + ANSWER_MS;
    return true;
  }
  log_line(k, "the template takes no message");
  return false;
}

bool clones_train(struct keeper *k, uint32_t generation) {
  return is_there_room(k) && clones_request(k, -1, generation);
}

static bool make_ready(struct keeper *k) { return is_there_room(k) && clones_request(k, -1, 0); }

void clones_serve(struct keeper *k, int connection) {
  if (connection < 0) {
    make_ready(k);
  } else {
    clones_request(k, connection, 0);
    // Whoever had to ask for one would have been served sooner by one that is ready.
    if (k->ready_wanted < READY_MAX && make_ready(k)) k->ready_wanted++;
  }
}

bool clones_ask_later(struct keeper *k, int connection) {
  if (k->asker_count == MAX_ASKERS) return false;
  k->askers[k->asker_count++] = connection;
  return true;
}

void clones_serve_askers(struct keeper *k) {
  for (size_t i = 0; i < k->asker_count; i++) clones_serve(k, k->askers[i]);
  clones_give_up_askers(k);
}

void clones_give_up_askers(struct keeper *k) {
  fdpass_close(k->askers, k->asker_count);
  k->asker_count = 0;
}

static void tell_template(struct keeper *k, enum frame_type type, const uint32_t *value) {
  char name[32];
  snprintf(name, sizeof name, POOL_BUSY_PREFIX "%d", (int)k->parent);
  int fd = pool_connect(k->pool_dir, name);
  if (fd < 0) return;  // there is no template any more
  frame_write_u32(fd, type, value, value ? 1 : 0, 0);
  close(fd);
}

void clones_taken(struct keeper *k) { tell_template(k, FRAME_CLONE, NULL); }

void clones_ran(struct keeper *k) {
  if (k->compilations_last < 0) return;  // it was killed
  log_line(k, "the run compiled %d methods", k->compilations_last);
  uint32_t compilations = (uint32_t)k->compilations_last;
  tell_template(k, FRAME_RAN, &compilations);
}

void clones_retire(const struct keeper *k) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *children = fopen(path, "re");
  if (!children) return;  // they end when nobody has used them for long enough
  // Their keepers are our children, as are the JVM and, perhaps, the template that follows. A pid
  // stays theirs until we reap it.
  int32_t template = pool_template(k->pool_dir);
  for (int pid; fscanf(children, "%d", &pid) == 1;) {
    if (pid != k->jvm && pid != template) kill(pid, SIGTERM);
  }
  fclose(children);
}
