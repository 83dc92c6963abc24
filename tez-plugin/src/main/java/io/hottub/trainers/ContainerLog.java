// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.trainers;

import java.net.URL;
import java.nio.file.Path;
import org.apache.log4j.PropertyConfigurator;

/** Logs as containers do: masters and tasks spend much of their time on that. */
public final class ContainerLog {
  private ContainerLog() {}

  /**
   * Logs into a folder from now on.
   *
   * @param settings those of the engine's containers, on the class path; without them all is as
   *     before
   */
  public static void into(Path folder, String settings) {
    URL found = Thread.currentThread().getContextClassLoader().getResource(settings);
    if (found == null) {
      return;
    }
    System.setProperty("yarn.app.container.log.dir", folder.toString());
    System.setProperty("yarn.app.container.log.filesize", "0");
    System.setProperty("hadoop.root.logger", "INFO,CLA");
    System.setProperty("hadoop.root.logfile", "syslog");
    System.setProperty("tez.root.logger", "INFO,CLA");
    PropertyConfigurator.configure(found);
  }
}
