// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#ifndef SHARE_HOTTUB_HOTTUBMETASPACE_HPP
#define SHARE_HOTTUB_HOTTUBMETASPACE_HPP

#include "memory/allStatic.hpp"
#include "utilities/globalDefinitions.hpp"

// What -XX:MaxMetaspaceSize leaves to a run. The classes of runs before stay, and a run that has no
// use for them must not go without room for its own: each run may add as much as a JVM of its own
// could have.
class HotTubMetaspace : AllStatic {
  static size_t _base;  // committed at S0
  static size_t _kept;  // and when the last run had ended

 public:
  // Bytes that may be committed: MaxMetaspaceSize, where there is no pool.
  static size_t max_size();

  // Before the first run, and after each: what is there counts for none.
  static void take();
  static void note_kept();

  // Runs have left more than the limit of one, or so much that the classes of another may find no
  // addresses.
  static bool is_worn_out();
};

#endif  // SHARE_HOTTUB_HOTTUBMETASPACE_HPP
