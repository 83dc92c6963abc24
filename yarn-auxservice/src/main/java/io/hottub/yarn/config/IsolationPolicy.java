// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.config;

import io.hottub.protocol.Isolation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How containers are served whose application does not choose itself.
 *
 * @param ofNode for users without an isolation of their own
 * @param ofUsers by YARN user
 */
public record IsolationPolicy(Isolation ofNode, Map<String, Isolation> ofUsers) {
  private static final Logger LOG = LoggerFactory.getLogger(IsolationPolicy.class);
  private static final Pattern ENTRY = Pattern.compile("([^\\s=]+)=(\\S+)");

  public IsolationPolicy {
    ofUsers = Map.copyOf(ofUsers);
  }

  /** An entry that is not allowed is logged and ignored; the others hold. */
  public static IsolationPolicy read(Configuration conf) {
    Map<String, Isolation> ofUsers = new HashMap<>();
    String text = HotTubConfig.ISOLATION_OF_USERS.read(conf);
    for (String entry : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher parts = ENTRY.matcher(entry.strip());
      Optional<Isolation> isolation =
          parts.matches() ? Isolation.of(parts.group(2)) : Optional.empty();
      if (isolation.isEmpty() || ofUsers.putIfAbsent(parts.group(1), isolation.get()) != null) {
        LOG.warn(
            "{} has the entry {}, not {}, each user once; it is ignored",
            HotTubConfig.ISOLATION_OF_USERS.name(),
            ConfigKey.quoted(entry.strip()),
            HotTubConfig.USER_AND_ISOLATION);
      }
    }
    return new IsolationPolicy(HotTubConfig.ISOLATION.read(conf), ofUsers);
  }

  /** For containers of a YARN user. */
  public Isolation of(String user) {
    return ofUsers.getOrDefault(user, ofNode);
  }
}
