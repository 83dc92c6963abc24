// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hottub.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private interface Look {
    Finding look() throws IOException;
  }

  private record TestCheck(String name, Look body) implements Check {
    @Override
    public String right() {
      return "";
    }

    @Override
    public Finding look() throws IOException {
      return body.look();
    }
  }

  private static final Check WELL = new TestCheck("one", () -> Finding.ok("it is"));
  private static final Check WARNS =
      new TestCheck("second", () -> Finding.warning("a \"b\"\u001b", "do\u00e9"));
  private static final Check FAILS =
      new TestCheck(
          "third",
          () -> {
            throw new IOException("no way");
          });

  private int run(List<Check> checks, String... options) {
    return DoctorCommand.run(
        List.of(options),
        node -> node ? List.of(FAILS) : checks,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTableForReaders() {
    assertEquals(111, run(List.of(WELL, WARNS, FAILS)));
    assertEquals(
        """
        ok              one     it is
        warning         second  a "b"?
                                what to do: do\u00e9
        failed          third   cannot be looked at: no way
                                what to do: correct the cause, and ask again
        1 ok, 1 warning, 1 failed, 0 not applicable
        """,
        out());
  }

  @Test
  void anObjectForPrograms() throws Exception {
    assertEquals(0, run(List.of(WELL, WARNS), "--json"));
    var object = Json.parseObject(out());
    assertEquals(true, object.get("well"));
    assertEquals(
        "[{name=one, result=ok, finding=it is, todo=},"
            + " {name=second, result=warning, finding=a \"b\"\u001b, todo=do\u00e9}]",
        object.get("checks").toString());
  }

  @Test
  void warningsAreNoFailures() {
    assertEquals(0, run(List.of(WARNS)));
  }

  @Test
  void options() {
    assertEquals(111, run(List.of(WELL), "--node"));
    assertEquals(100, run(List.of(WELL), "--nodes"));
    assertEquals("usage: hottub doctor [--node] [--json]\n", err.toString(StandardCharsets.UTF_8));
  }
}
