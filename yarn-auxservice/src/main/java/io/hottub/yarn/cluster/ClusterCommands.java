// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.cluster;

import io.hottub.protocol.ProtocolException;
import io.hottub.yarn.cluster.NodeRecord.Jvms;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** {@code hottub cluster}: shows and switches all nodes. */
public final class ClusterCommands {
  private static final int OK = 0;
  private static final int USAGE = 100;
  private static final int FAILED = 111;
  private static final String ROW = "%-32s %-8s %4s %5s %6s %9s %5s %s%n";

  private static final String HELP =
      """
      usage: hottub cluster ps                 show the nodes and what their pools hold
             hottub cluster off | on           every run on every node cold from now on, or no more
             hottub cluster drain node NAME... runs on these nodes cold; NAME is as ps shows it
             hottub cluster drain fp FP...     runs of these fingerprints cold, on every node
             hottub cluster undrain node NAME... | fp FP...
                                               take that back
      FP is a fingerprint, or its beginning. Idle JVMs of what is off or drained end. What operators of
      nodes have drained with `hottub drain` stays so. Settings come from yarn-site.xml.
      Exit status: 0, 100 (usage), 111 (something failed, see stderr).
      """;

  private final ClusterSettings settings;
  private final PrintStream out;
  private final PrintStream err;

  public ClusterCommands(ClusterSettings settings, PrintStream out, PrintStream err) {
    this.settings = settings;
    this.out = out;
    this.err = err;
  }

  /** What a command line asks for. */
  private interface Command {
    void run(ClusterClient client) throws Exception;
  }

  /** Returns the exit status. */
  public int run(List<String> args) {
    if (args.equals(List.of("help"))) {
      out.print(HELP);
      return OK;
    }
    Optional<Command> command = parse(args);
    if (command.isEmpty()) {
      err.print(HELP);
      return USAGE;
    }
    try (ClusterClient client = ClusterClient.open(settings, new Deaf())) {
      if (!client.awaitConnection()) {
        err.println("hottub: no session with ZooKeeper at " + settings.connect());
        return FAILED;
      }
      command.get().run(client);
      return OK;
    } catch (Exception e) {
      err.println("hottub: " + e.getMessage());
      return FAILED;
    }
  }

  /** For those to whom the switch does not matter, or who are over before it would. */
  static final class Deaf implements ClusterClient.Events {
    @Override
    public void connected() {}

    @Override
    public void lost() {}

    @Override
    public void switchMoved() {}
  }

  private Optional<Command> parse(List<String> args) {
    return switch (String.join(" ", args.subList(0, Math.min(2, args.size())))) {
      case "ps" -> Optional.of(this::ps);
      case "off" -> Optional.of(client -> client.changeSwitch(before -> before.withOff(true)));
      case "on" -> Optional.of(client -> client.changeSwitch(before -> before.withOff(false)));
      case "drain node" -> named(args, (client, names) -> nodes(client, names, true));
      case "undrain node" -> named(args, (client, names) -> nodes(client, names, false));
      case "drain fp" -> named(args, (client, names) -> fingerprints(client, names, true));
      case "undrain fp" -> named(args, (client, names) -> fingerprints(client, names, false));
      default -> Optional.empty();
    };
  }

  /** A command about what follows its two words. */
  private interface NamesCommand {
    void run(ClusterClient client, List<String> names) throws Exception;
  }

  private static Optional<Command> named(List<String> args, NamesCommand command) {
    List<String> names = args.subList(2, args.size());
    return names.isEmpty() ? Optional.empty() : Optional.of(client -> command.run(client, names));
  }

  private void nodes(ClusterClient client, List<String> names, boolean drain) throws Exception {
    Set<String> known = client.nodes().keySet();
    for (String node : names) {
      if (!Names.isNode(node)) {
        throw new ProtocolException(node + " cannot be the name of a node");
      }
      if (!known.contains(node)) {
        // It may be down, and is to be drained when it comes back.
        err.println("hottub: " + node + " has no record now");
      }
    }
    client.changeSwitch(before -> before.withNodes(Set.copyOf(names), drain));
  }

  private static void fingerprints(ClusterClient client, List<String> beginnings, boolean drain)
      throws Exception {
    Set<String> complete = complete(client, beginnings);
    client.changeSwitch(before -> before.withFingerprints(complete, drain));
  }

  /** As {@code hottub drain}, from what all nodes know. */
  private static Set<String> complete(ClusterClient client, List<String> beginnings)
      throws Exception {
    // What is drained is in the records, too.
    Set<String> known = new TreeSet<>();
    for (String record : client.nodes().values()) {
      try {
        known.addAll(NodeRecord.parse(record).fingerprints().keySet());
      } catch (ProtocolException e) {
        // As ps shows.
      }
    }
    Set<String> complete = new TreeSet<>();
    for (String beginning : beginnings) {
      List<String> found = known.stream().filter(name -> name.startsWith(beginning)).toList();
      if (found.size() == 1) {
        complete.add(found.get(0));
      } else if (found.isEmpty() && Names.isFingerprint(beginning)) {
        complete.add(beginning);
      } else {
        throw new ProtocolException(found.size() + " fingerprints begin with " + beginning);
      }
    }
    return complete;
  }

  private void ps(ClusterClient client) throws Exception {
    try {
      ClusterSwitch state = client.readSwitch();
      out.println("switch: " + (state.off() ? "off" : "on"));
      state.nodes().forEach(node -> out.println("drained node: " + node));
      state.fingerprints().forEach(fp -> out.println("drained fingerprint: " + fp));
    } catch (ProtocolException e) {
      out.println("switch: not obeyed by nodes: " + e.getMessage());
    }
    out.printf(ROW, "NODE", "STATE", "MAX", "IDLE", "LEASED", "TEMPLATES", "OTHER", "FINGERPRINT");
    for (Map.Entry<String, String> node : client.nodes().entrySet()) {
      rows(node.getKey(), node.getValue());
    }
  }

  private void rows(String node, String json) {
    String shown = Names.isNode(node) ? node : "?";
    NodeRecord record;
    try {
      record = NodeRecord.parse(json);
    } catch (ProtocolException e) {
      out.printf(ROW, shown, "damaged", "-", "-", "-", "-", "-", "-");
      return;
    }
    SortedMap<String, Jvms> fingerprints = record.fingerprints();
    Jvms all = fingerprints.values().stream().reduce(new Jvms(0, 0, 0, 0, false), Jvms::plus);
    print(shown, record.drained(), Integer.toString(record.maxJvms()), all, "all");
    fingerprints.forEach((fp, jvms) -> print(shown, jvms.drained(), "-", jvms, fp));
  }

  private void print(String node, boolean drained, String max, Jvms jvms, String fingerprint) {
    out.printf(
        ROW,
        node,
        drained ? "drained" : "open",
        max,
        jvms.idle(),
        jvms.leased(),
        jvms.templates(),
        jvms.other(),
        fingerprint);
  }
}
