// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @Test
  void readsEveryKindOfValue() throws Exception {
    Map<String, Object> object =
        Json.parseObject(
            " { \"a\" : [ 1, -2.5e1, true, false, null ] ,\"b\":{}, \"c\":\"x\\n\\u00e9\\\"\"}\n");
    assertEquals(
        Arrays.asList(new BigDecimal("1"), new BigDecimal("-2.5e1"), true, false, null),
        object.get("a"));
    assertEquals(Map.of(), object.get("b"));
    assertEquals("x\né\"", object.get("c"));
    assertEquals(List.of("a", "b", "c"), List.copyOf(object.keySet()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}x",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":--1}",
        "{\"a\":NaN}",
        "{\"a\":1e9999}",
        "{\"a\":tru}",
        "{\"a\":\"\u0001\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"open}",
        "{\"a\":1,\"a\":2}",
        "{'a':1}"
      })
  void refusesWhatIsNoObject(String text) {
    assertThrows(ProtocolException.class, () -> Json.parseObject(text));
  }

  @Test
  void refusesDeepNestingAndLongNumbers() {
    String deep = "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
    assertThrows(ProtocolException.class, () -> Json.parseObject(deep));
    String number = "{\"a\":" + "9".repeat(10_000) + "}";
    assertThrows(ProtocolException.class, () -> Json.parseObject(number));
  }
}
