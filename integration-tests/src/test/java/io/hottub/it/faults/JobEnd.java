// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.faults;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * How a job has ended, without what differs between any two.
 *
 * @param application what YARN says of it
 * @param client its exit status
 * @param result whether it is the right one
 * @param victim what YARN says of the container that was disturbed; empty if that does not count
 */
record JobEnd(String application, int client, String result, String victim) {
  /** The victim was as good as over, or had not begun. */
  static final String BY_ITSELF = "ended by itself";

  /** How containers of a job end that nobody disturbs. */
  private static final Set<Integer> ORDINARY =
      Set.of(
          ContainerExitStatus.SUCCESS,
          ContainerExitStatus.KILLED_BY_APPMASTER,
          ContainerExitStatus.KILLED_AFTER_APP_COMPLETION);

  /** What diagnostics have to say beside names, places and times. */
  private static final List<Pattern> ESSENTIAL =
      List.of(
          Pattern.compile("[Ee]xit(?:ed with )?[Cc]ode:? ?(?:is )?-?\\d+"),
          Pattern.compile("non-zero exit code -?\\d+"),
          Pattern.compile("Killed by external signal"),
          Pattern.compile("[Cc]ontainer killed (?:on request|by the \\w+)"),
          Pattern.compile("(?i)(?:was )?killed by user"),
          Pattern.compile("line \\d+: +\\d+ (?:Killed|Terminated|Aborted|Segmentation fault)"),
          Pattern.compile("A fatal error has been detected by the Java Runtime Environment"));

  static JobEnd of(ApplicationReport report, int client, String result, String victim) {
    String state =
        report.getYarnApplicationState() == YarnApplicationState.FINISHED
            ? report.getFinalApplicationStatus().toString()
            : report.getYarnApplicationState().toString();
    int attempt = report.getCurrentApplicationAttemptId().getAttemptId();
    String told = String.join(", ", essentials(report.getDiagnostics()));
    return new JobEnd(
        state + ", attempt " + attempt + (told.isEmpty() ? "" : " (" + told + ")"),
        client,
        result,
        victim);
  }

  /**
   * What is compared of a victim's end.
   *
   * @param mayEndByItself whether it may end as if nothing had been done
   */
  static String victim(NodeContainers.End end, boolean mayEndByItself) {
    if (mayEndByItself && ORDINARY.contains(end.exitStatus())) {
      return BY_ITSELF;
    }
    Set<String> told = essentials(end.diagnostics());
    return "status "
        + end.exitStatus()
        + (told.isEmpty() ? "" : " (" + String.join(", ", told) + ")");
  }

  static Set<String> essentials(String diagnostics) {
    Set<String> essentials = new TreeSet<>();
    for (Pattern pattern : ESSENTIAL) {
      Matcher matcher = pattern.matcher(diagnostics);
      while (matcher.find()) {
        essentials.add(matcher.group().replaceAll("line \\d+: +\\d+ ", "bash: "));
      }
    }
    return essentials;
  }

  /** The same, whatever became of the victim. */
  JobEnd withoutVictim() {
    return new JobEnd(application, client, result, "");
  }

  @Override
  public String toString() {
    return application
        + "; client "
        + client
        + "; result "
        + result
        + (victim.isEmpty() ? "" : "; victim " + victim);
  }
}
