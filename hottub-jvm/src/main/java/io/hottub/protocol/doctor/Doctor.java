// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.Json;
import io.hottub.protocol.doctor.Finding.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Makes all checks, one after the other, and tells what they have found. */
public final class Doctor {
  private record Told(Check check, Finding finding) {}

  private final List<Told> told = new ArrayList<>();

  public Doctor(List<Check> checks) {
    for (Check check : checks) {
      told.add(new Told(check, look(check)));
    }
  }

  private static Finding look(Check check) {
    try {
      return check.look();
    } catch (IOException e) {
      return Finding.failed(
          "cannot be looked at: " + e.getMessage(), "correct the cause, and ask again");
    }
  }

  /** Whether nothing has failed. */
  public boolean isWell() {
    return count(Result.FAILED) == 0;
  }

  private long count(Result result) {
    return told.stream().filter(one -> one.finding().result() == result).count();
  }

  /** For readers: a line for each check, and one more where something is to be done. */
  public void print(PrintStream out) {
    int results = width(Arrays.stream(Result.values()).map(Result::word).toList());
    int names = width(told.stream().map(one -> one.check().name()).toList());
    String format = "%-" + results + "s  %-" + names + "s  %s%n";
    for (Told one : told) {
      Finding finding = one.finding();
      out.printf(format, finding.result().word(), one.check().name(), line(finding.text()));
      if (!finding.todo().isEmpty()) {
        out.printf(format, "", "", "what to do: " + line(finding.todo()));
      }
    }
    out.println(
        Arrays.stream(Result.values())
            .map(result -> count(result) + " " + result.word())
            .collect(Collectors.joining(", ")));
  }

  private static int width(List<String> words) {
    return words.stream().mapToInt(String::length).max().orElse(1);
  }

  /** Settings and names of files can hold anything; what controls a terminal must not reach it. */
  private static String line(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** For programs: one object. */
  public String json() {
    return told.stream()
        .map(
            one ->
                "{\"name\":%s,\"result\":%s,\"finding\":%s,\"todo\":%s}"
                    .formatted(
                        Json.quoted(one.check().name()),
                        Json.quoted(one.finding().result().word()),
                        Json.quoted(one.finding().text()),
                        Json.quoted(one.finding().todo())))
        .collect(
            Collectors.joining(",", "{\"version\":1,\"well\":" + isWell() + ",\"checks\":[", "]}"));
  }
}
