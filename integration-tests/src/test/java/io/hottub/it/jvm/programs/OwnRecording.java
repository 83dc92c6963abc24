// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The process, as a recording of the flight recorder names it. */
public class OwnRecording {
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
      recording.start();
      recording.dump(file);
    }
    System.out.println("folder " + System.getProperty("jdk.jfr.repository").replaceAll(".*_", ""));
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("jdk.JVMInformation")) {
        System.out.println("recording " + event.getLong("pid"));
      }
    }
  }
}
