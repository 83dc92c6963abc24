// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SupportedHadoopTest {
  @Test
  void knowsTheLinesItWasTestedIn() {
    assertTrue(SupportedHadoop.supports("3.3.6"));
    assertTrue(SupportedHadoop.supports("3.4.3"));
    assertTrue(SupportedHadoop.supports("3.5.0"));
    assertFalse(SupportedHadoop.supports("3.40.0"));
    assertFalse(SupportedHadoop.supports("2.10.2"));
  }
}
