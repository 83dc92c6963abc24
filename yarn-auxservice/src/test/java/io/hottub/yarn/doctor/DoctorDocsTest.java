// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.GeneratedPart;
import io.hottub.protocol.doctor.Check;
import io.hottub.protocol.doctor.Finding.Result;
import io.hottub.protocol.doctor.NodeCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of checks in the documentation is a golden file: {@code ./mvnw test -pl yarn-auxservice
 * -am -Dhottub.docs.update=true} writes it anew.
 */
class DoctorDocsTest {
  private static final Path FILE = Path.of("..", "docs", "doctor.md");

  /** No process is in it. */
  @TempDir Path proc;

  private List<Check> checks(boolean isNode) {
    return DoctorMain.checks(
        new Configuration(false), Path.of("/nowhere"), Map.of(), new NodeCheck(proc, isNode, true));
  }

  private static boolean isOfNodes(Check check) {
    return check.getClass().getPackage().equals(DoctorMain.class.getPackage());
  }

  private String table() {
    StringBuilder table = new StringBuilder("| check | of | right is |\n|---|---|---|\n");
    for (Check check : checks(true)) {
      String of = isOfNodes(check) ? "nodes" : "all";
      table.append("| `%s` | %s | %s |\n".formatted(check.name(), of, check.right()));
    }
    return table.toString();
  }

  @Test
  void theTableIsUpToDate() throws Exception {
    GeneratedPart.assertUpToDate(FILE, List.of(table()));
  }

  @Test
  void everyCheckHasANameOfItsOwn() {
    List<String> names = checks(true).stream().map(Check::name).toList();
    assertEquals(names.size(), names.stream().distinct().count(), names.toString());
  }

  @Test
  void aClientIsNotAskedForTheSettingsOfNodes() throws Exception {
    List<Check> ofClient = checks(false);
    List<Check> ofNode = checks(true);
    for (int i = 0; i < ofNode.size(); i++) {
      assertEquals(ofNode.get(i).name(), ofClient.get(i).name());
      assertEquals(ofNode.get(i).right(), ofClient.get(i).right());
      if (isOfNodes(ofNode.get(i))) {
        assertEquals(Result.NOT_APPLICABLE, ofClient.get(i).look().result());
      }
    }
  }
}
