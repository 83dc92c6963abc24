// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.yarn.log.LogLines;
import io.hottub.yarn.pool.MockPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeasedJvmsTest {
  private long now;

  @Test
  void aPoolThatCannotBeReadIsSaidOnce() throws Exception {
    try (MockPool jvms = new MockPool();
        LogLines lines = new LogLines(LeasedJvms.class)) {
      Path user = jvms.temp.pool().userFolder();
      LeasedJvms leased = new LeasedJvms(jvms.temp.pool(), () -> now += 1_000_000_000);
      Files.setAttribute(user, "unix:mode", 0755);
      leased.get();
      leased.get();
      Files.setAttribute(user, "unix:mode", 0700);
      leased.get();
      leased.get();
      assertEquals(
          List.of(
              "WARN Cannot see which JVMs are leased; containers may be charged too little",
              "INFO It can be seen again which JVMs are leased"),
          lines.get());
    }
  }
}
