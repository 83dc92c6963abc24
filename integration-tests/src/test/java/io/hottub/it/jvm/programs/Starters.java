// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** Ends while threads start others, which tell when their starter has been interrupted. */
public class Starters {
  private static final int STARTERS = 100;
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < STARTERS; i++) {
      begin(Starters::startOthers);
    }
    Thread.sleep(100);
    System.exit(12);
  }

  private static void startOthers() {
    Thread self = Thread.currentThread();
    while (true) {
      begin(() -> look(self));
    }
  }

  private static void look(Thread starter) {
    if (starter.isInterrupted()) { // nobody does that but the end of a run
      try {
        OUT.write('!');
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void begin(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }
}
