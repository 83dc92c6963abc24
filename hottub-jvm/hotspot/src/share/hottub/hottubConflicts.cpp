// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "jvm.h"
#include "hottub/hottubClasses.hpp"
#include "hottub/hottubConflicts.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/atomic.hpp"
#include "utilities/ostream.hpp"

enum State { none, being_noted, noted };

static volatile int _state = none;
static char _first[512];

void HotTubConflicts::note_met(Klass* k) {
  if (k != NULL && k->is_instance_klass() && HotTubClasses::is_former(InstanceKlass::cast(k))) {
    HotTubClasses::note_met(InstanceKlass::cast(k));
  }
}

// A class that this run has initialized, or has asked for, is there on a stock JVM, too. Of others
// that is not known: code that runs before have linked needs no name.
static bool may_be_of_earlier_run(InstanceKlass* k) {
  return HotTubClasses::is_former(k) && !(HotTubClasses::has_barrier(k) && k->is_initialized());
}

void HotTubConflicts::note(Klass* there) {
  if (there == NULL || !may_be_of_earlier_run(InstanceKlass::cast(there)) ||
      Atomic::cmpxchg(&_state, (int)none, (int)being_noted) != none) {
    return;
  }
  ResourceMark rm;
  jio_snprintf(_first, sizeof _first, "%s", there->external_name());
  Atomic::release_store(&_state, (int)noted);
}

const char* HotTubConflicts::first() {
  return Atomic::load_acquire(&_state) == noted ? _first : NULL;
}

void HotTubConflicts::forget() { Atomic::release_store(&_state, (int)none); }
