// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "generations.h"

#include <signal.h>
#include <unistd.h>

#include "clones.h"
#include "log.h"

// More than this is some 0.2 s of compiling, which each clone pays anew.
#define MANY_COMPILATIONS 200

// Runs that compile much one after the other; twice as many with each generation, for there are
// runs that compile much whatever was trained.
#define RUNS_IN_A_ROW 3u
#define DOUBLINGS_MAX 10

void generations_ran(struct keeper *k, uint32_t compilations) {
  log_line(k, "the run of a clone has compiled %u methods", compilations);
  uint32_t doublings = k->generation < DOUBLINGS_MAX ? k->generation : DOUBLINGS_MAX;
  k->hot_runs = compilations > MANY_COMPILATIONS ? k->hot_runs + 1 : 0;
  if (k->hot_runs < RUNS_IN_A_ROW << doublings) return;
  k->hot_runs = 0;
  // What was trained by recipes only is left to recipes.
  if (k->for_recipes || clones_are_refused(k) || !clones_train(k, k->generation + 1)) return;
  k->generation++;
  log_line(k, "its clones compile much: generation %u is to be trained", k->generation);
}

bool generations_follows(const struct keeper *k) { return k->parent > 0 && !k->is_clone; }

void generations_succeed(struct keeper *k) {
  if (!generations_follows(k)) return;
  if (getppid() == k->parent) kill(k->parent, SIGTERM);
  k->parent = 0;
}
