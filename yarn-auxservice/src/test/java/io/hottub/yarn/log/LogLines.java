// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a class logs meanwhile for operators: INFO and above, with its level. */
public final class LogLines extends AppenderSkeleton implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final List<String> lines = new ArrayList<>();

  public LogLines(Class<?> type) {
    logger = Logger.getLogger(type);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(this);
  }

  @Override
  protected synchronized void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
      lines.add(event.getLevel() + " " + event.getRenderedMessage());
    }
  }

  public synchronized List<String> get() {
    return List.copyOf(lines);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    logger.setLevel(before);
  }
}
