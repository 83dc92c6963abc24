// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** Containers in which a program waits until a test lets it go, and then ends with status 7. */
public final class WaitingRuns {
  private static final Pattern EXIT_CODE = Pattern.compile("exitCode: (-?\\d+)");

  /** What becomes of a container that is let go: its application never registers. */
  public static final End UNDISTURBED = new End(YarnApplicationState.FAILED, 7);

  private final Pool pool;
  private final YarnClient client;
  private final Path classes;
  private int runs;

  public WaitingRuns(Pool pool, YarnClient client) throws Exception {
    this.pool = pool;
    this.client = client;
    this.classes = Programs.compile(pool.work().resolve("classes"), "WaitsForFile");
  }

  /** A run of WaitsForFile in a container. */
  public record WaitingRun(Application application, Path go, Path status) {
    public void letGo() throws Exception {
      Files.createFile(go);
    }

    public End end() throws Exception {
      YarnApplicationState state = application.awaitEnd();
      Matcher matcher = EXIT_CODE.matcher(application.diagnostics());
      return new End(state, matcher.find() ? Integer.valueOf(matcher.group(1)) : null);
    }
  }

  /** What YARN says about the end of a container. */
  public record End(YarnApplicationState state, Integer exitCode) {}

  /** Starts a container, and waits until its program runs. */
  public WaitingRun start(boolean pooled) throws Exception {
    return start(pooled, Home.path());
  }

  public WaitingRun start(boolean pooled, Path home) throws Exception {
    runs++;
    Path started = pool.work().resolve("started-" + runs);
    WaitingRun run =
        new WaitingRun(
            new Application(client),
            pool.work().resolve("go-" + runs),
            pool.work().resolve("status-" + runs));
    // The shell waits for its child, writes its exit status down and hands it on. YARN puts this
    // into double quotes.
    String command =
        "$JAVA_HOME/bin/java -cp CLASSES WaitsForFile STARTED GO; s=\\$?;"
            + " echo \\$s > STATUS.new; mv STATUS.new STATUS; exit \\$s";
    run.application()
        .environment("JAVA_HOME", home.toString())
        .environment("HOTTUB", pooled ? "on" : "off")
        .environment("HOTTUB_TRACE", pool.trace().toString())
        .submit(
            command
                .replace("CLASSES", classes.toString())
                .replace("STARTED", started.toString())
                .replace("GO", run.go().toString())
                .replace("STATUS", run.status().toString()));
    Await.until("the program runs", () -> Files.exists(started));
    return run;
  }

  public End undisturbed(boolean pooled) throws Exception {
    WaitingRun run = start(pooled);
    run.letGo();
    return run.end();
  }

  public End killed(boolean pooled) throws Exception {
    WaitingRun run = start(pooled);
    run.application().kill();
    return run.end();
  }
}
