// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol.doctor;

import io.hottub.protocol.jdk.Jdk;
import io.hottub.protocol.jdk.JdkComparison;
import io.hottub.protocol.jdk.MachineJdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether runs on the HotTub home find what they would find on the machine's own JDK. */
public final class JdkCheck implements Check {
  private static final int NAMED = 3;

  private final Path home;
  private final Map<String, String> environment;
  private final MachineJdk machine;

  public JdkCheck(Path home, Map<String, String> environment) {
    this(home, environment, new MachineJdk());
  }

  JdkCheck(Path home, Map<String, String> environment, MachineJdk machine) {
    this.home = home;
    this.environment = environment;
    this.machine = machine;
  }

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public String right() {
    return "The home trusts whom the machine's own JDK 17 trusts, has its settings, and is not older."
        + " That is the NodeManager's, else that of JAVA_HOME, else the newest in "
        + MachineJdk.FOLDER;
  }

  @Override
  public Finding look() throws IOException {
    Optional<Jdk> found = machine.find(environment);
    if (found.isEmpty()) {
      return Finding.notApplicable("this machine has no other JDK 17");
    }
    Jdk own = found.get();
    JdkComparison compared = new JdkComparison(own, new Jdk(home));
    List<String> problems = new ArrayList<>();
    Set<String> todo = new LinkedHashSet<>();
    String adopt = "hottub adopt " + own.folder() + ", as root";
    int untrusted = compared.untrusted();
    if (untrusted > 0) {
      problems.add("certificates that it does not trust: " + untrusted);
      todo.add(adopt);
    }
    List<Path> settings = compared.otherSettings();
    if (!settings.isEmpty()) {
      problems.add("other settings in " + named(settings));
      todo.add(compared.keptSettings().map(folder -> "set the same in " + folder).orElse(adopt));
    }
    if (compared.isOlder()) {
      problems.add("it is older: %s, not %s".formatted(new Jdk(home).version(), own.version()));
      todo.add("build HotTub for that JDK, and install it");
    }
    if (problems.isEmpty()) {
      return Finding.ok("the home trusts whom %s trusts, and is set as it".formatted(own.folder()));
    }
    return Finding.warning(
        "the home is not as %s: %s".formatted(own.folder(), String.join("; ", problems)),
        String.join("; ", todo));
  }

  /** As many as fit into a line. */
  private static String named(List<Path> files) {
    int left = Math.max(0, files.size() - NAMED);
    return files.stream().limit(NAMED).map(Path::toString).collect(Collectors.joining(", "))
        + (left == 0 ? "" : " and " + left + " more");
  }
}
