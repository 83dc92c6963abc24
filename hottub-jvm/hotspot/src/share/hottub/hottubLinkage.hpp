// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBLINKAGE_HPP
#define SHARE_HOTTUB_HOTTUBLINKAGE_HPP

#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"

class BootstrapInfo;
class ConstantPoolCacheEntry;
class OopRecorder;

// What the constant pools of classes keep of a run. A stock JVM calls a bootstrap method once in
// its life for a call site (invokedynamic) or a dynamic constant; here it has to be called again
// in every run, because what it returned may lead to objects of the run, or may depend on it.
// Exempt are call sites of those methods of the JDK whose result follows from the class file
// alone (lambdas, string concatenation, records): they stay linked.  But linking one of a lambda
// initializes its interface if that has code of its own and an initializer.  Such a site is
// unlinked, and gets the same again from the next run that comes there.
//
// Handles of static fields are resolved again too: they check at their first use only that the
// field's class is initialized. So is what could not be resolved: the first failure tells more
// than those after it.
//
// Compiled code may hold such a thing without a trace of it. Code that has seen one has the
// class among its metadata; so it is found and thrown away.
class HotTubLinkage : AllStatic {
 public:
  // Decided from the class file alone.
  static bool has_state(InstanceKlass* k);

  // Calls the bootstrap method of a call site, unless it is known what comes of it.
  static void link(BootstrapInfo& site, TRAPS);

  // For a compilation, in the VM: it looks at a call site or constant of k.
  static void note_use(InstanceKlass* k, OopRecorder* recorder);

  // Under Compile_lock: has a compilation with this id seen what is no longer linked?
  static bool is_stale(int compile_id, OopRecorder* recorder);

  // At a safepoint, without frames of the run: first for each class with such state, then once.
  static void reset_class(InstanceKlass* k);
  static void finish_reset();

  // At a safepoint: the call site (invokedynamic, or a method handle's) is linked anew by the next
  // who comes there, and gets another lambda.
  static void unlink_site(ConstantPool* cp, ConstantPoolCacheEntry* entry);

  // At a safepoint: every method handle forgets what it was last converted to (asType), which may
  // be a handle of the run. To be called where something of a run is left; takes a walk of the
  // heap.
  static void forget_conversions();
};

#endif  // SHARE_HOTTUB_HOTTUBLINKAGE_HPP
