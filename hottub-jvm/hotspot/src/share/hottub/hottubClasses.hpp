// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBCLASSES_HPP
#define SHARE_HOTTUB_HOTTUBCLASSES_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"
#include "oops/method.hpp"
#include "utilities/exceptions.hpp"

// Which classes are initialized again in the next run, and how they get there.
//
// base     initialized at S0, or infrastructure whose state no run can observe:
//          never reset, treated by the compilers as on a stock JVM
// ever     initialized after S0 by the boot, platform or application loader:
//          statics are cleared by a reset
// barrier  and its initialization has effects (its own <clinit>, that of a
//          superclass or of a superinterface with default methods): the reset puts
//          it back to the linked state, and every use checks the state (JVMS 5.5)
//
// constants  compiled code may hold values of its static fields (HotTubConstants)
// linkage    its call sites and constants may keep something of a run (HotTubLinkage)
// unlinked   and were reset after one
// given      its static fields are what classes that are reset leave there: cleared with those
// former     was there when the last reset ended, and this run has not asked for it
//
// The flags are set before the class state that they explain becomes visible
// and are never taken back but for `former`, so the compilers see a monotonic state.
class HotTubClasses : AllStatic {
 public:
  enum Flags : u1 {
    base = 1,
    ever = 2,
    barrier = 4,
    constants = 8,
    linkage = 16,
    unlinked = 32,
    given = 64,
    former = 128
  };

  struct Counts {
    int barrier;
    int trivial;
  };

  static void before_state_change(InstanceKlass* k, InstanceKlass::ClassState state);

  static bool has_barrier(const InstanceKlass* k) { return (k->hottub_flags() & barrier) != 0; }
  static bool has_constants(const InstanceKlass* k) { return (k->hottub_flags() & constants) != 0; }
  // Its instances belong to a run.
  static bool is_reset(InstanceKlass* k) { return (k->hottub_flags() & ever) != 0; }
  static bool has_linkage(const InstanceKlass* k) { return (k->hottub_flags() & linkage) != 0; }
  static bool has_unlinked(const InstanceKlass* k) { return (k->hottub_flags() & unlinked) != 0; }
  static bool is_base(const InstanceKlass* k) { return (k->hottub_flags() & base) != 0; }
  static bool is_former(const InstanceKlass* k) { return (k->hottub_flags() & former) != 0; }

  // Under Compile_lock.
  static void note_constants(InstanceKlass* k);
  static void note_linkage(InstanceKlass* k);

  // At a safepoint.
  static void note_unlinked(InstanceKlass* k);

  // It is one of this run now, too.
  static void note_met(InstanceKlass* k);

  // Parts of the JDK that belong to the JVM and not to a run: base whenever they are
  // initialized. The state of those that are kept is not even in the snapshot.
  static bool is_never_reset(const InstanceKlass* k);
  static bool is_kept(const InstanceKlass* k);

  // The state of k for a compilation.
  static InstanceKlass::ClassState compiler_state(InstanceKlass* k, bool* has_barrier);
  static bool is_not_initialized_for_compiler(InstanceKlass* k) {
    return k->is_not_initialized() && (k->hottub_flags() & ever) == 0;
  }

  // Initializes the holder of a static method that is entered without
  // invokestatic; no effect where that has happened in this run.
  static void pass_barrier(Method* m, TRAPS);

  // At a safepoint: every class that is initialized now is base.
  static void close_base();
  static bool is_base_closed() { return _base_is_closed; }

  // Of a hidden class: what it belongs to, itself if to no other.
  static InstanceKlass* nest_host_of(InstanceKlass* hidden) { return hidden->_nest_host; }

  // At a safepoint: it is found anew if it is one of these.
  static void forget_nest_host(InstanceKlass* k, const GrowableArray<InstanceKlass*>& hosts);

  // At a safepoint: has a run changed static fields of k, which has no initializer?
  static bool has_statics_of_run(InstanceKlass* k);

  // At a safepoint, while no compilation runs and no code is left: nobody initializes k any more.
  static void expel(InstanceKlass* k);

  // At a safepoint: back to S0.
  static void reset(Counts* counts);

  // One that no later run could initialize, or NULL.
  static InstanceKlass* unfinished() { return _unfinished; }

 private:
  static bool _base_is_closed;
  static InstanceKlass* _unfinished;
  static bool needs_barrier(const InstanceKlass* k);
  static bool has_own_state(InstanceKlass* k);
  static u1 base_flags(const InstanceKlass* k);
  static void keep_texts(InstanceKlass* k);
  static void clear_statics(InstanceKlass* k);
  static void clear_given(InstanceKlass* k);
  static bool is_unfinished(InstanceKlass* k);
  static void renew_base(InstanceKlass* k);
  static void reset_class(InstanceKlass* k, Counts* counts);
};

#endif  // SHARE_HOTTUB_HOTTUBCLASSES_HPP
