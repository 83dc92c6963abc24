// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.tez;

import io.hottub.it.harness.NeedsHome;
import io.hottub.it.harness.TezOnYarn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tez in the pool, by one setting and with its own defaults. */
@NeedsHome
class TezIT extends TezOnYarn {
  @Test
  void everyJvmOfALaterApplicationIsWarm() throws Exception {
    Path words = words(2);
    assertWarmAndEqual((pooled, result) -> orderedWordCount(pooled, words, result));
  }
}
