// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBSTRINGS_HPP
#define SHARE_HOTTUB_HOTTUBSTRINGS_HPP

#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"

class InstanceKlass;

// Strings that outlive a run: literals, names, keys. They are immutable for everybody but a run
// that opens java.lang (--add-opens), and such a run can write to them, or to their hash codes.
// What a literal must be is in its class file, and an interned string is in the table where its
// text belongs. Any string gets its hash code when it outlives its first reset, and must still have
// that after the next ones.
class HotTubStrings : AllStatic {
 public:
  // At S0. Strings get their hash codes.
  static void take();

  // At a safepoint, before any string is given its hash code. The number of interned strings
  // without one that are not in the table where their text belongs.
  static int changed_since_interned();

  // At a safepoint. False if the string has not the hash code that it got, which it gets if it has
  // none yet.
  static bool is_unchanged(oop string);

  // At a safepoint. A class with a literal that is not as in the class file, or NULL.
  static InstanceKlass* changed_literal();

  // Does a string, or whatever it is, have this text?
  static bool is_text(oop string, Symbol* text);
};

#endif  // SHARE_HOTTUB_HOTTUBSTRINGS_HPP
