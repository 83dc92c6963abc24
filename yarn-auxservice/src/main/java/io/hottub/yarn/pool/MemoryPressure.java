// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.pool;

import io.hottub.protocol.SmallFile;
import io.hottub.yarn.config.HotTubConfig;
import io.hottub.yarn.log.Trouble;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's pressure stall information for memory. */
public final class MemoryPressure {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryPressure.class);
  private static final Pattern SOME =
      Pattern.compile("(?m)^some avg10=([0-9]{1,3}(?:[.][0-9]{1,6})?) ");

  private final Path file;
  private final int percent;
  private final Trouble unread;

  /** So that a node without it says so once, and not every second. */
  private boolean unavailable;

  /**
   * @param percent pressure is high above this share of the last 10 seconds
   */
  public MemoryPressure(Path file, int percent) {
    this.file = file;
    this.percent = percent;
    unread =
        new Trouble(
            LOG,
            "Cannot read " + file + ": no give-way under memory pressure until it can be read",
            file + " can be read again");
  }

  public static MemoryPressure read(Configuration conf) {
    return new MemoryPressure(
        HotTubConfig.PRESSURE_FILE.read(conf), HotTubConfig.PRESSURE_PERCENT.read(conf));
  }

  /** Whether tasks wait for memory; false where the kernel does not tell. */
  public boolean isHigh() {
    if (unavailable) {
      return false;
    }
    try {
      Matcher matcher = SOME.matcher(SmallFile.read(file));
      if (matcher.find()) {
        unread.isOver();
        return Double.parseDouble(matcher.group(1)) > percent;
      }
      unread.is("it does not look like pressure stall information");
    } catch (NoSuchFileException e) {
      LOG.info("The kernel does not tell memory pressure ({} is not there): no give-way", file);
      unavailable = true;
    } catch (IOException e) {
      unread.is(e.toString());
    }
    return false;
  }
}
