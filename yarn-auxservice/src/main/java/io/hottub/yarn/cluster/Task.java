// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.ProtocolException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Containers that the same JVMs can serve, as far as that can be told before they start, when
 * nobody knows their fingerprint: those of one user that are no application masters and have the
 * same memory.
 *
 * @param user YARN user
 */
public record Task(String user, long memoryMb) {
  /** Names that need no escapes in JSON; others are not told to the cluster. */
  private static final Pattern USER = Pattern.compile("[\\w.@$-]{1,100}");

  public boolean isPublic() {
    return USER.matcher(user).matches();
  }

  /** Null where there is none, as in records of older versions. */
  static Task parse(Map<String, Object> members) throws ProtocolException {
    if (!(members.get("user") instanceof String user)) {
      return null;
    }
    return new Task(user, Names.number(members, "memory_mb"));
  }

  /** Members of an object. */
  String json() {
    return "\"user\":\"%s\",\"memory_mb\":%d".formatted(user, memoryMb);
  }
}
