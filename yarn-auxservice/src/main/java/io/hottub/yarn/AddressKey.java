// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A setting that is an address to listen on. */
record AddressKey(String name, String meaning) implements ConfigKey {
  private static final Logger LOG = LoggerFactory.getLogger(AddressKey.class);
  private static final int MAX_PORT = 65_535;

  /** Returns the configured address; empty where none is, or, with a warning, where it is wrong. */
  Optional<InetSocketAddress> read(Configuration conf) {
    String text = conf.getTrimmed(name, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon > 0 && port >= 0 && port <= MAX_PORT) {
        return Optional.of(new InetSocketAddress(text.substring(0, colon), port));
      }
    } catch (NumberFormatException e) {
      LOG.debug("{} has no port", name, e);
    }
    LOG.warn("{} is \"{}\", not {}: ignored", name, text, values());
    return Optional.empty();
  }

  @Override
  public String defaultText() {
    return "none";
  }

  @Override
  public String values() {
    return "host:port";
  }
}
