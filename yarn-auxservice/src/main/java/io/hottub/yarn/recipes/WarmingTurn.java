// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

/** Whose turn it is to warm JVMs. Of one thread. */
public interface WarmingTurn {
  /** Of a node that is by itself. */
  WarmingTurn ALWAYS =
      new WarmingTurn() {
        @Override
        public boolean take() {
          return true;
        }

        @Override
        public void giveBack() {
          // It never ends.
        }
      };

  /** Asks for the turn, which the node then has until it gives it back. Never waits. */
  boolean take();

  /** The turn, or the wish for it. */
  void giveBack();
}
