// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "survey.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "frame.h"
#include "worth.h"

#define SCAN_MAX_ENTRIES 4096

static void add(struct survey *survey, const char *fingerprint, int32_t keeper,
                const struct worth *worth, bool in_use) {
  int64_t now = survey->taken_ms;
  // A time that is still to come was written before the machine was started.
  int64_t idle = now > worth->since_ms ? now - worth->since_ms : 0;
  survey->jvms[survey->count] = (struct room_jvm){.keeper = keeper,
                                                  .leases = worth->leases,
                                                  .memory_kb = worth->memory_kb,
                                                  .idle_ms = in_use ? -1 : idle,
                                                  .kept = worth->kept_ms > now};
  memcpy(survey->fingerprints[survey->count++], fingerprint, POOL_FINGERPRINT_CHARS + 1);
}

static void add_folder(struct survey *survey, int user_dir, const char *fingerprint, int claims) {
  DIR *folder =
      fdopendir(openat(user_dir, fingerprint, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!folder) return;
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (survey->count == ROOM_MAX_JVMS) break;
    if (strncmp(entry->d_name, POOL_WORTH_PREFIX, strlen(POOL_WORTH_PREFIX)) != 0) continue;
    int32_t keeper = pool_keeper_of(entry->d_name);
    struct worth worth;
    // The lock costs less to ask than the process, and where there are many clients it is held.
    bool in_use = pool_is_claimed(claims, keeper);
    if (!in_use && !pool_keeper_answers(dirfd(folder), keeper)) continue;
    if (worth_read(dirfd(folder), keeper, &worth)) {
      add(survey, fingerprint, keeper, &worth, in_use);
    }
  }
  closedir(folder);
}

void survey_take(int user_dir, const char *fingerprint, struct survey *survey) {
  survey->count = survey->same_kind = 0;
  survey->taken_ms = monotonic_ms();
  DIR *folder = fdopendir(openat(user_dir, ".", O_DIRECTORY | O_RDONLY | O_CLOEXEC));
  if (!folder) return;
  int claims = pool_claims_open(user_dir);
  struct dirent *entry = readdir(folder);
  for (int i = 0; entry && i < SCAN_MAX_ENTRIES; i++, entry = readdir(folder)) {
    if (!pool_is_fingerprint(entry->d_name)) continue;
    size_t before = survey->count;
    add_folder(survey, user_dir, entry->d_name, claims);
    if (strcmp(entry->d_name, fingerprint) == 0) survey->same_kind = survey->count - before;
  }
  if (claims >= 0) close(claims);
  closedir(folder);
}

static void tell(int offers, int32_t keeper, int claim) {
  char name[32];
  snprintf(name, sizeof name, POOL_OFFER_PREFIX "%d", (int)keeper);
  int fd = pool_connect(offers, name);
  if (fd < 0) return;
  // The claim goes with the frame: nobody else can get the JVM before its keeper has it.
  frame_write(fd, FRAME_RETIRE, NULL, 0, &claim, 1, 0);
  close(fd);
  snprintf(name, sizeof name, POOL_WAKE_PREFIX "%d", (int)keeper);
  fd = pool_connect(offers, name);
  if (fd >= 0) close(fd);
}

bool survey_end(int user_dir, const struct survey *survey, size_t index) {
  int32_t keeper = survey->jvms[index].keeper;
  const char *fingerprint = survey->fingerprints[index];
  int claim = pool_claims_open(user_dir);
  bool ended = false;
  if (claim >= 0 && pool_claim(claim, keeper)) {
    char path[POOL_FINGERPRINT_CHARS + 16];
    snprintf(path, sizeof path, "%s/" POOL_OFFERS, fingerprint);
    int folder = openat(user_dir, fingerprint, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int offers = openat(user_dir, path, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ended = folder >= 0 && offers >= 0 && worth_remove(folder, keeper);
    if (ended) tell(offers, keeper, claim);
    if (folder >= 0) close(folder);
    if (offers >= 0) close(offers);
  }
  if (claim >= 0) close(claim);
  return ended;
}
