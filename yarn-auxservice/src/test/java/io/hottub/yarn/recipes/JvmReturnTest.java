// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.recipes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.protocol.Isolation;
import io.hottub.protocol.JvmState;
import io.hottub.protocol.RunTrace;
import io.hottub.yarn.pool.MockPool;
import io.hottub.yarn.pool.PoolScanner;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JvmReturnTest {
  private MockPool jvms;

  @BeforeEach
  void createPool() throws IOException {
    jvms = new MockPool();
  }

  @AfterEach
  void removePool() throws IOException {
    jvms.close();
  }

  private boolean isBack(Isolation isolation) throws Exception {
    RunTrace trace = new RunTrace(true, null, 7L, "a".repeat(32), 3L, isolation, true);
    return new JvmReturn(new PoolScanner(jvms.temp.pool())).isBack(trace);
  }

  @Test
  void idleAgain() throws Exception {
    jvms.add(1, "a", JvmState.IDLE, "jvm_pid", 7, "run", 3);
    assertTrue(isBack(Isolation.REUSE));
  }

  @Test
  void leasedToSomebodyElse() throws Exception {
    jvms.add(1, "a", JvmState.LEASED, "jvm_pid", 7, "run", 4);
    assertTrue(isBack(Isolation.REUSE));
  }

  @Test
  void aJvmThatEndsIsLost() throws Exception {
    assertFalse(isBack(Isolation.REUSE));
    jvms.add(1, "a", JvmState.RETIRING, "jvm_pid", 7, "run", 3);
    assertFalse(isBack(Isolation.REUSE));
  }

  @Test
  void aTrainedJvmIsATemplateNow() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE, "jvm_pid", 7, "run", 3);
    assertTrue(isBack(Isolation.REUSE));
  }

  @Test
  void aTrainedJvmMayEndWhereThereIsATemplate() throws Exception {
    jvms.add(1, "a", JvmState.TEMPLATE, "jvm_pid", 8, "run", 3);
    assertTrue(isBack(Isolation.REUSE));
    jvms.add(2, "a", JvmState.RETIRING, "jvm_pid", 7, "run", 3);
    assertTrue(isBack(Isolation.REUSE));
  }

  @Test
  void aCloneEndsWithItsRun() throws Exception {
    assertTrue(isBack(Isolation.CLONE));
  }
}
