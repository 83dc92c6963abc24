// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The rule that makes room in the pool, with the cases of {@code room.tsv}, which client and keeper
 * keep as well (native/test/room-test.c).
 */
class RoomRuleTest {
  private static final Path TABLE = Path.of("room.tsv");

  @Test
  void everyCase() throws IOException {
    List<String[]> cases =
        Files.readAllLines(TABLE).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\t", -1))
            .toList();
    assertTrue(cases.size() > 20);
    for (String[] field : cases) {
      assertEquals(field[4], found(field), field[5]);
    }
  }

  private static String found(String[] field) {
    if (field[0].equals("machine")) {
      PoolLimits limits = PoolLimits.ofMachine(Long.parseLong(field[1]));
      return "%d %d %d"
          .formatted(limits.maxJvms(), limits.maxJvmsPerFingerprint(), limits.idleMemoryMb());
    }
    List<RoomRule.Jvm> pool =
        Arrays.stream(field[3].split(" ", -1))
            .filter(text -> text.contains(":"))
            .map(RoomRuleTest::jvm)
            .toList();
    int maxJvms = Integer.parseInt(field[0]);
    long kb = Long.parseLong(field[1]) * 1024;
    Optional<List<RoomRule.Jvm>> ended =
        field[2].equals("idle")
            ? Optional.of(RoomRule.forIdle(pool, kb))
            : RoomRule.forNewcomer(
                pool, maxJvms, kb, 1000 * Long.parseLong(field[2].substring("new=".length())));
    return ended.map(RoomRuleTest::shown).orElse("full");
  }

  private static String shown(List<RoomRule.Jvm> ended) {
    return ended.isEmpty()
        ? "-"
        : ended.stream().map(jvm -> Long.toString(jvm.keeper())).collect(Collectors.joining(" "));
  }

  private static RoomRule.Jvm jvm(String text) {
    String[] part = text.split(":", -1);
    boolean kept = part[3].endsWith("k");
    String idle = kept ? part[3].substring(0, part[3].length() - 1) : part[3];
    return new RoomRule.Jvm(
        Long.parseLong(part[0]),
        Long.parseLong(part[1]),
        1024 * Long.parseLong(part[2]),
        idle.equals("-") ? -1 : 1000 * Long.parseLong(idle),
        kept);
  }
}
