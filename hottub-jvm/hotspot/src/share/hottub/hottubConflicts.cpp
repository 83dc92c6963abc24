// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "jvm.h"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubConflicts.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"

static volatile bool _is_noted = false;
static char _first[512];

void HotTubConflicts::note_met(Klass* k) {
  if (k != NULL && k->is_instance_klass()) {
    HotTubClasses::note_met(InstanceKlass::cast(k));
  }
}

// A class that this run has initialized, or has asked for, is there on a stock JVM, too. Of others
// that is not known: code that runs before have linked needs no name.
static bool may_be_of_earlier_run(InstanceKlass* k) {
  return HotTubClasses::is_former(k) && !(HotTubClasses::has_barrier(k) && k->is_initialized());
}

void HotTubConflicts::note(Klass* there) {
  if (there != NULL && may_be_of_earlier_run(InstanceKlass::cast(there))) {
    note_name_of(there);
  }
}

void HotTubConflicts::note_name_of(Klass* k) {
  assert_lock_strong(SystemDictionary_lock);
  if (!_is_noted) {
    ResourceMark rm;
    jio_snprintf(_first, sizeof _first, "%s", k->external_name());
    Atomic::release_store(&_is_noted, true);
  }
}

const char* HotTubConflicts::first() { return Atomic::load_acquire(&_is_noted) ? _first : NULL; }

void HotTubConflicts::forget() { _is_noted = false; }
