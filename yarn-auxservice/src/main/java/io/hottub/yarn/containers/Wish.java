// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;

/**
 * What an application says of HotTub.
 *
 * @param enabled whether it asks for HotTub
 * @param isolation what it has written for that; empty: as the node has it
 */
record Wish(boolean enabled, String isolation) {
  /** That in the settings of an application of an engine. */
  static Wish in(byte[] content, Engine engine) throws IOException {
    Engine.Settings settings = engine.parse(content);
    return new Wish(
        Boolean.parseBoolean(settings.find(engine.enabledKey()).orElse("").trim()),
        settings.find(engine.isolationKey()).orElse("").trim());
  }
}
