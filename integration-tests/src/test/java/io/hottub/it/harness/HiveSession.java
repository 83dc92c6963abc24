// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session of HiveServer2 that has ended.
 *
 * @param out what its statements printed
 * @param millis wall time of each statement with a name, and of the client from its start to its
 *     end
 */
public record HiveSession(String out, Map<String, Long> millis) {
  private static final Pattern TOOK = Pattern.compile("(?m)^took (\\d+) ms: (.*)$");

  static HiveSession of(Outcome outcome, long millis) {
    Map<String, Long> times = new LinkedHashMap<>();
    Matcher took = TOOK.matcher(outcome.err());
    while (took.find()) {
      times.put(took.group(2), Long.valueOf(took.group(1)));
    }
    times.put("the session", millis);
    return new HiveSession(outcome.out(), times);
  }
}
