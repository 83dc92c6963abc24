// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A setting that is an absolute path on the node. */
record PathKey(String name, String defaultText, String meaning) implements ConfigKey {
  private static final Logger LOG = LoggerFactory.getLogger(PathKey.class);

  /** Returns the configured path; empty where none is, or, with a warning, where it is wrong. */
  Optional<Path> read(Configuration conf) {
    String text = conf.getTrimmed(name);
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = Path.of(text);
      if (path.isAbsolute()) {
        return Optional.of(path);
      }
    } catch (InvalidPathException e) {
      LOG.debug("{} is not a path", name, e);
    }
    LOG.warn("{} is \"{}\", not {}: ignored", name, text, values());
    return Optional.empty();
  }

  @Override
  public String values() {
    return "absolute path";
  }
}
