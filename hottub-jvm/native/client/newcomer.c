// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "newcomer.h"

#include "deadline.h"
#include "room.h"
#include "survey.h"
#include "wanted.h"

// A JVM that was to go may be leased meanwhile; then another one goes.
#define TRIES 3

static struct survey survey;
static size_t victims[ROOM_MAX_JVMS];

// How many have to go; -1 if there is no room.
static int plan(int user_dir, const char *fingerprint, const struct pool_limits *limits) {
  survey_take(user_dir, fingerprint, &survey);
  if (survey.same_kind >= limits->max_jvms_per_fingerprint) return -1;
  // By one clock: whoever is kept from its processor in between must not seem wanted longer ago.
  int64_t ago = wanted_ago_ms(user_dir, fingerprint, survey.taken_ms);
  return room_for_newcomer(survey.jvms, survey.count, limits, ago < 0 ? ROOM_STRANGER_MS : ago,
                           victims);
}

static bool end_victims(int user_dir, int count) {
  for (int i = 0; i < count; i++) {
    const struct room_jvm *jvm = &survey.jvms[victims[i]];
    if (!survey_end(user_dir, &survey, victims[i])) return false;
    wanted_note(user_dir, survey.fingerprints[victims[i]], survey.taken_ms - jvm->idle_ms);
  }
  return true;
}

bool newcomer_may_start(int user_dir, const char *fingerprint, const struct pool_limits *limits) {
  if (plan(user_dir, fingerprint, limits) >= 0) return true;
  wanted_note(user_dir, fingerprint, monotonic_ms());
  return false;
}

bool newcomer_makes_room(int user_dir, const char *fingerprint, const struct pool_limits *limits) {
  for (int i = 0; i < TRIES; i++) {
    int count = plan(user_dir, fingerprint, limits);
    if (count < 0) break;
    if (end_victims(user_dir, count)) return true;
  }
  wanted_note(user_dir, fingerprint, monotonic_ms());
  return false;
}
