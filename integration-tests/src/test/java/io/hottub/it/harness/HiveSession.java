// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session of HiveServer2 that has ended.
 *
 * @param out what its statements printed
 * @param queryMillis wall time of each query by its name
 * @param millis wall time of the client from its start to its end
 */
public record HiveSession(String out, Map<String, Long> queryMillis, long millis) {
  private static final Pattern TOOK = Pattern.compile("(?m)^took (\\d+) ms: (.*)$");

  static HiveSession of(Outcome outcome, long millis) {
    Map<String, Long> times = new LinkedHashMap<>();
    Matcher took = TOOK.matcher(outcome.err());
    while (took.find()) {
      times.put(took.group(2), Long.valueOf(took.group(1)));
    }
    return new HiveSession(outcome.out(), times, millis);
  }

  /** What each query printed, by its name. */
  public Map<String, String> results() {
    List<String> parts = Arrays.asList(out.split("(?m)^-- "));
    Map<String, String> results = new TreeMap<>();
    for (String part : parts.subList(1, parts.size())) {
      String[] nameAndText = part.split("\n", 2);
      results.put(nameAndText[0], nameAndText[1]);
    }
    return results;
  }
}
