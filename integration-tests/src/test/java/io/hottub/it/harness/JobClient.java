// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.io.IOException;

/** The program that has submitted a job to YARN, and mostly waits for its end. */
public interface JobClient {
  /** What it wrote so far. */
  String log() throws IOException;

  /** YARN's name of the application, once the program has told it. */
  String id() throws IOException;

  /** Its process. */
  ProcessHandle process();

  /** Waits for its end, and returns its exit status. */
  int end() throws IOException, InterruptedException;

  /** Ends it as SIGKILL does, if it still runs. */
  void kill();
}
