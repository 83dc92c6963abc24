// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.it.harness.Home;
import io.hottub.it.harness.NeedsHome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The reset leaves classes of the class library alone (classes.tsv). Each of them and each static
 * field of theirs is in statics.tsv, so that one that a newer JDK has is looked at: the program
 * that makes the lists of the VM compares. {@code -Dhottub.docs.update=true} writes the file anew,
 * with a question mark for each new field that may change.
 */
@NeedsHome
class StaticsIT {
  private static final Path LISTS = Path.of("..", "hottub-jvm", "build", "class-lists");
  private static final Path JDK = Home.STOCK_JAVA.getParent().getParent();

  @Test
  void eachFieldThatAClassKeepsHasAVerdict() throws IOException, InterruptedException {
    String mode = Boolean.getBoolean("hottub.docs.update") ? "update" : "check";
    Process process =
        new ProcessBuilder(LISTS.toString(), JDK.toString(), mode)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertEquals("", output);
  }
}
