// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What a program reads of its own process below {@code /proc}, by the pid that it knows. */
public class OwnFiles {
  private static final long TICK_MS = 10;

  /** The fields of proc(5) that follow the name; the first has the number 3. */
  private static List<String> stat(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    return Arrays.asList(stat.substring(stat.lastIndexOf(')') + 2).trim().split(" "));
  }

  private static long number(List<String> stat, int field) {
    return Long.parseLong(stat.get(field - 3));
  }

  private static Path link(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) { // what was open a moment ago
      return link;
    }
  }

  private static long parent(Path process) {
    try {
      return number(stat(process), 4);
    } catch (IOException e) {
      return 0; // it has ended
    }
  }

  public static void main(String[] args) throws Exception {
    ProcessHandle self = ProcessHandle.current();
    Path own = Path.of("/proc", Long.toString(self.pid()));
    long end = System.nanoTime() + 200_000_000;
    while (self.info().totalCpuDuration().get().toMillis() < 200 || System.nanoTime() < end) {}

    Path byOtherName = Path.of("/proc/self");
    System.out.println("self " + Files.readSymbolicLink(byOtherName));
    System.out.println("real " + byOtherName.toRealPath().equals(own));
    System.out.println("canonical " + byOtherName.toFile().getCanonicalPath().equals(own + ""));
    System.out.println(
        "canonical task "
            + byOtherName.resolve("task").toFile().getCanonicalPath().equals(own + "/task"));
    describe(own, self, Path.of(args[0]));
    describe(byOtherName, self, Path.of(args[0]));
    findChild(self);
  }

  private static void describe(Path own, ProcessHandle self, Path file) throws IOException {
    List<String> stat = stat(own);
    System.out.println("pid " + Files.readString(own.resolve("stat")).replaceAll(" .*\n", ""));
    System.out.println("parent " + stat.get(1));
    System.out.println("group " + stat.get(2));
    System.out.println("session " + stat.get(3));
    Duration used = self.info().totalCpuDuration().get();
    long apart = used.toMillis() - (number(stat, 14) + number(stat, 15)) * TICK_MS;
    System.out.println("its time is that of the process " + (Math.abs(apart) < 200));
    System.out.println("time of children " + (number(stat, 16) + number(stat, 17)));
    long pages = Long.parseLong(Files.readString(own.resolve("statm")).split(" ")[1]);
    System.out.println("holds memory " + (pages > 5000 && number(stat, 24) > 5000));
    String status = Files.readString(own.resolve("status"));
    System.out.println("status has memory " + status.matches("(?s).*VmRSS:\\s*\\d{5,} kB.*"));
    status.lines().filter(line -> line.matches("(Name|P*Pid):.*")).forEach(System.out::println);
    System.out.println("threads " + (number(stat, 20) > 5));
    File[] tasks = own.resolve("task").toFile().listFiles();
    System.out.println("tasks " + (tasks.length > 5));
    System.out.println(
        "can look at one %b %b %b"
            .formatted(
                tasks[3].isDirectory(),
                Files.isDirectory(tasks[3].toPath(), LinkOption.NOFOLLOW_LINKS),
                Files.isReadable(tasks[3].toPath())));
    try (var open = Files.newInputStream(file);
        Stream<Path> links = Files.list(own.resolve("fd"))) {
      System.out.println("has the file " + links.map(OwnFiles::link).anyMatch(file::equals));
      open.read();
    }
    String line = Files.readString(own.resolve("cmdline")).replace('\0', ' ');
    System.out.println("line " + line);
    System.out.println("program " + Files.readSymbolicLink(own.resolve("exe")));
    System.out.println("real program " + own.resolve("exe").toRealPath());
    String environment = Files.readString(own.resolve("environ"));
    System.out.println("is in the environment " + environment.contains("OWN=of the run\0"));
  }

  private static void findChild(ProcessHandle self) throws Exception {
    Process child = new ProcessBuilder("sleep", "5").start();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      System.out.println(
          "has the child "
              + processes
                  .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                  .filter(path -> parent(path) == self.pid())
                  .toList()
                  .equals(List.of(Path.of("/proc", Long.toString(child.pid())))));
    }
    child.destroy();
    child.waitFor();
  }
}
