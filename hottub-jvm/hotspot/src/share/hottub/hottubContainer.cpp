// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "cgroupSubsystem_linux.hpp"
#include "hottub/hottubContainer.hpp"
#include "runtime/os.hpp"

// osContainer_linux.cpp; NULL without control groups, or if they are not to be used.
extern CgroupSubsystem* cgroup_subsystem;

static char* _groups = NULL;

// The kernel's text, as /proc/self/cgroup has it; NULL if that cannot be read.
static char* read_groups() {
  const size_t room = 16 * K;
  FILE* file = fopen("/proc/self/cgroup", "re");
  if (file == NULL) {
    return NULL;
  }
  char* text = NEW_C_HEAP_ARRAY(char, room, mtInternal);
  text[fread(text, 1, room - 1, file)] = '\0';
  fclose(file);
  return text;
}

void HotTubContainer::take() { _groups = read_groups(); }

void HotTubContainer::begin_run() {
  if (cgroup_subsystem == NULL) {
    return;
  }
  char* now = read_groups();
  if (now == NULL || (_groups != NULL && strcmp(now, _groups) == 0)) {
    FREE_C_HEAP_ARRAY(char, now);
    return;
  }
  // The one before stays, because a thread may be using it: a few hundred bytes for each change.
  CgroupSubsystem* changed = CgroupSubsystemFactory::create();
  if (changed != NULL) {
    cgroup_subsystem = changed;
  }
  FREE_C_HEAP_ARRAY(char, _groups);
  _groups = now;
}
