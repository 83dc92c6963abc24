// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP
#define SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP

#include "classfile/classFileStream.hpp"
#include "classfile/dictionary.hpp"
#include "memory/allStatic.hpp"
#include "oops/instanceKlass.hpp"
#include "runtime/handles.hpp"

// Classes that a run has defined itself in a class loader that stays (ClassLoader.defineClass by
// reflection, MethodHandles.Lookup, JNI). The next run must not find them, and may define others
// of the same names. Classes of the class path are the same in every run, hidden classes are
// found by nobody, and proxy classes are made again from their interfaces alone.
//
// A reset takes such a class out of the loader's dictionary. It cannot be unloaded, but comes back
// when a run defines it again from the same bytes; so its code stays warm, and runs that define
// the same classes do not fill the metaspace.
//
// That is exact as long as no other class names it: what nobody names is in nobody's constant
// pool nor in a constraint between loaders, and compiled code of others has met it only behind a
// check of the receiver's class, or by a dependency that another class of the same name breaks. So
// the JVM retires if a class that stays names one of them; and one that names another of them does
// not come back.
class HotTubDefinitions : AllStatic {
 public:
  // k has been made of st and is about to be defined by the current thread. Returns the class of a
  // former run that is defined in its place, or NULL.
  static InstanceKlass* define_again(InstanceKlass* k, const ClassFileStream* st,
                                     Handle protection_domain, JavaThread* current);

  // Finds the fields that forget_packages needs; false if this JDK has others.
  static bool initialize();

  // Before withdraw: packages that they have opened are not known to the loader any more. (Where
  // other classes came into such a package later, it has lost what their jar says of it.)
  static void forget_packages(JavaThread* current);

  // At a safepoint, without threads of the run: the loader forgets them.
  static void withdraw();

  // At a safepoint after the collection: does one of them matter to what stays? Returns why the
  // JVM has to retire, or NULL.
  static const char* doubt();

  // At a safepoint: the loader forgets k. Returns false if it does not have it.
  static bool remove(Dictionary* dictionary, InstanceKlass* k, Symbol* name);
};

#endif  // SHARE_HOTTUB_HOTTUBDEFINITIONS_HPP
