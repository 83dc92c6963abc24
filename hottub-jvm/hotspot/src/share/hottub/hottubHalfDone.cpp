// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "classfile/javaClasses.inline.hpp"
#include "classfile/symbolTable.hpp"
#include "classfile/systemDictionary.hpp"
#include "classfile/vmClasses.hpp"
#include "hottub/hottubHalfDone.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/handles.inline.hpp"
#include "runtime/thread.hpp"

// ConcurrentHashMap has one where computeIfAbsent or compute are at work, and throws
// IllegalStateException to all who come there.
static const char* const reservation = "java/util/concurrent/ConcurrentHashMap$ReservationNode";

HotTubHalfDone::HotTubHalfDone(JavaThread* main) : _reservation(NULL), _main(main) {
  TempNewSymbol name = SymbolTable::probe(reservation, (int)strlen(reservation));
  if (name != NULL) {
    _reservation = SystemDictionary::find_instance_klass(name, Handle(), Handle());
  }
}

bool HotTubHalfDone::is_one(oop o, InstanceKlass* k) const {
  if (k == _reservation) {
    return true;
  }
  if (!k->is_subclass_of(
          vmClasses::java_util_concurrent_locks_AbstractOwnableSynchronizer_klass())) {
    return false;
  }
  // The JVM's own threads may hold a lock at any time; main, which is another run's next, none.
  oop owner = java_util_concurrent_locks_AbstractOwnableSynchronizer::get_owner_threadObj(o);
  JavaThread* thread = owner == NULL ? NULL : java_lang_Thread::thread(owner);
  return owner != NULL && (thread == NULL || thread == _main);
}
