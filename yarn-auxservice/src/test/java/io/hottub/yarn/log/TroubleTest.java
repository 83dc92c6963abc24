// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class TroubleTest {
  private static final Logger LOG = LoggerFactory.getLogger(TroubleTest.class);

  private final LogLines lines = new LogLines(TroubleTest.class);
  private final Trouble trouble = new Trouble(LOG, "It rains", "It is dry");

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void isSaidWhenItBeginsAndWhenItIsOver() {
    trouble.isOver();
    assertEquals(List.of(), lines.get(), "there was none");
    trouble.is(new IOException("a cloud"));
    trouble.is(new IOException("a cloud"));
    assertTrue(trouble.isOn());
    assertEquals(List.of("WARN It rains"), lines.get());
    trouble.isOver();
    trouble.isOver();
    assertFalse(trouble.isOn());
    assertEquals(List.of("WARN It rains", "INFO It is dry"), lines.get());
    trouble.is(new IOException("a cloud"));
    assertEquals(3, lines.get().size(), "it is there again");
  }

  @Test
  void anotherCauseIsSaid() {
    trouble.is("a cloud");
    trouble.is("a cloud");
    trouble.is("a hose");
    assertEquals(List.of("WARN It rains: a cloud", "WARN It rains: a hose"), lines.get());
  }

  @Test
  void eachHasItsOwn() {
    Troubles<String> all =
        new Troubles<>(who -> new Trouble(LOG, who + " is wet", who + " is dry"));
    IOException cloud = new IOException("a cloud");
    all.are(Map.of("a", cloud));
    all.are(Map.of("a", cloud, "b", cloud));
    all.are(Map.of("b", cloud));
    all.are(Map.of());
    assertEquals(
        List.of("WARN a is wet", "WARN b is wet", "INFO a is dry", "INFO b is dry"), lines.get());
  }
}
