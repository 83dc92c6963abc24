// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.PoolDirectory;
import io.hottub.protocol.ProtocolException;
import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the two kinds of records have in common: names, which never need escapes in JSON. */
final class Names {
  /** Host, or host:port; no slash, because it is also a name in ZooKeeper. */
  private static final Pattern NODE =
      Pattern.compile("[A-Za-z0-9\\[][A-Za-z0-9._:%\\[\\]-]{0,299}");

  /** The version of the layout of all records. */
  private static final long VERSION = 1;

  private Names() {}

  static boolean isNode(String text) {
    return NODE.matcher(text).matches();
  }

  static boolean isFingerprint(String text) {
    return PoolDirectory.isFingerprint(text);
  }

  static String json(Collection<String> names) {
    return names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",", "[", "]"));
  }

  static void checkVersion(Map<String, Object> members) throws ProtocolException {
    if (number(members, "version") != VERSION) {
      throw new ProtocolException("a record of another version than " + VERSION);
    }
  }

  static long number(Map<String, Object> members, String name) throws ProtocolException {
    if (members.get(name) instanceof java.math.BigDecimal number) {
      return number.longValue();
    }
    throw new ProtocolException(name + " is missing or not a number");
  }

  static boolean flag(Map<String, Object> members, String name) throws ProtocolException {
    if (members.get(name) instanceof Boolean flag) {
      return flag;
    }
    throw new ProtocolException(name + " is missing, or neither true nor false");
  }

  static SortedSet<String> set(
      Map<String, Object> members, String name, java.util.function.Predicate<String> allowed)
      throws ProtocolException {
    SortedSet<String> names = new TreeSet<>();
    if (!(members.get(name) instanceof Collection<?> elements)) {
      throw new ProtocolException(name + " is missing or not a list");
    }
    for (Object element : elements) {
      if (!(element instanceof String text) || !allowed.test(text)) {
        throw new ProtocolException("a wrong name in " + name);
      }
      names.add(text);
    }
    return names;
  }
}
