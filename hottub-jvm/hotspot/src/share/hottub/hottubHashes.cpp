// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubHashes.hpp"
#include "hottub/hottubPrivate.hpp"
#include "hottub/hottubThreads.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"

HOTTUB_PRIVATE_MEMBER(HotTubRandomSeed, volatile unsigned int*, os::_rand_seed)

struct HotTubGenerators {
  jint main[4];
  unsigned int vm;

  void save(JavaThread* thread) {
    main[0] = thread->_hashStateW;
    main[1] = thread->_hashStateX;
    main[2] = thread->_hashStateY;
    main[3] = thread->_hashStateZ;
    vm = *address_of(HotTubRandomSeed());
  }

  void restore(JavaThread* thread) const {
    thread->_hashStateW = main[0];
    thread->_hashStateX = main[1];
    thread->_hashStateY = main[2];
    thread->_hashStateZ = main[3];
    *address_of(HotTubRandomSeed()) = vm;
  }
};

static HotTubGenerators _created;
static HotTubGenerators _entered;  // in the first run
static int _runs = 0;

// What the threads of the first run start with.
static const int max_starts = 256;
static jint _starts[max_starts];
static int _start_count = 0;
static volatile int _thread_count = 0;  // of this run

void HotTubHashes::take(JavaThread* main) { _created.save(main); }

void HotTubHashes::restore(JavaThread* main) {
  if (_runs == 1 && _start_count == 0) {  // not again by the second part of the reset
    _start_count = MIN2((int)_thread_count, max_starts);
  }
  _thread_count = 0;
  _created.restore(main);
}

// Loading the main class takes some on a stock JVM, and so in the first run.
void HotTubHashes::enter_main(JavaThread* main) {
  if (_runs++ == 0) {
    os::random();  // for the thread Common-Cleaner, which was here before S0
    _entered.save(main);
  } else {
    _entered.restore(main);
  }
}

void HotTubHashes::begin_thread(JavaThread* created) {
  if (HotTubThreads::is_of_vm(created)) {
    return;
  }
  int number = Atomic::fetch_and_add(&_thread_count, 1);
  if (_runs == 1 && number < max_starts) {
    _starts[number] = created->_hashStateX;
  } else if (number < _start_count) {
    created->_hashStateX = _starts[number];
    *address_of(HotTubRandomSeed()) = _starts[number];  // as if it had just been drawn
  }
}
