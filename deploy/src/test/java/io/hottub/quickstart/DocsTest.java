// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages of the repository: their links, and the width of their lines. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs");

  /** The tarball has it beside docs/. */
  private static final Path INSTALL = ROOT.resolve("deploy/dist/INSTALL.md");

  private static final int WIDTH = 100;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  private static final TreeMap<Path, List<String>> PAGES = new TreeMap<>();

  @BeforeAll
  static void readPages() throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            return name.equals("target") || name.equals(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".md")) {
              PAGES.put(file, Files.readAllLines(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** A link in a page: where it stands, the file, and the heading in it or an empty text. */
  private record Link(Path page, String text, Path file, String heading) {
    boolean leadsSomewhere() {
      if (heading.isEmpty()) {
        return Files.exists(file);
      }
      return PAGES.containsKey(file) && headings(file).contains(heading);
    }
  }

  private static List<Link> links() {
    List<Link> links = new ArrayList<>();
    for (Path page : PAGES.keySet()) {
      Path folder = page.equals(INSTALL) ? ROOT : page.getParent();
      for (String line : prose(page)) {
        for (MatchResult match :
            LINK.matcher(CODE.matcher(line).replaceAll("")).results().toList()) {
          String text = match.group(1);
          if (text.contains("://")) {
            continue;
          }
          String[] parts = text.split("#", 2);
          Path file = parts[0].isEmpty() ? page : folder.resolve(parts[0]).normalize();
          links.add(new Link(page, text, file, parts.length == 2 ? parts[1] : ""));
        }
      }
    }
    return links;
  }

  /** The lines of a page, without those of code. */
  private static List<String> prose(Path page) {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : PAGES.get(page)) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code && !line.startsWith("    ")) {
        prose.add(line);
      }
    }
    return prose;
  }

  /** As GitHub makes them of headings. */
  private static Set<String> headings(Path page) {
    return prose(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static String name(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static void assertNone(String what, Stream<String> found) {
    assertEquals("", found.distinct().collect(Collectors.joining("\n")), what);
  }

  @Test
  void everyLinkLeadsSomewhere() {
    assertNone(
        "links that lead nowhere",
        links().stream()
            .filter(link -> !link.leadsSomewhere())
            .map(link -> name(link.page) + ": " + link.text));
  }

  /** The tarball has docs/ and nothing else of the sources, which the page for developers links. */
  @Test
  void pagesOfTheTarballLinkWhatIsInIt() {
    assertNone(
        "links out of docs/",
        links().stream()
            .filter(link -> link.page.startsWith(DOCS) || link.page.equals(INSTALL))
            .filter(link -> !link.page.endsWith("architecture.md"))
            .filter(link -> !link.file.startsWith(DOCS) && !link.file.equals(link.page))
            .map(link -> name(link.page) + ": " + link.text));
  }

  @Test
  void theIndexLinksEveryPage() {
    Set<Path> linked = new HashSet<>();
    links().stream()
        .filter(link -> link.page.equals(DOCS.resolve("README.md")))
        .forEach(link -> linked.add(link.file));
    assertNone(
        "pages that docs/README.md does not link",
        PAGES.keySet().stream()
            .filter(page -> page.startsWith(DOCS) && !page.endsWith("README.md"))
            .filter(page -> !linked.contains(page))
            .map(DocsTest::name));
  }

  /** Its build finds that, too, where there is a network. */
  @Test
  void everyPageHasAPlaceInTheBook() throws IOException {
    String book = Files.readString(ROOT.resolve("deploy/book/mkdocs.yml"));
    assertNone(
        "pages that deploy/book/mkdocs.yml does not have",
        PAGES.keySet().stream()
            .filter(page -> page.startsWith(DOCS))
            .map(page -> DOCS.relativize(page).toString())
            .filter(page -> !book.matches("(?s).*[ :]" + Pattern.quote(page) + "\\n.*")));
  }

  @Test
  void theFileForShortJobsHasTheSettingsOfTheGuide() throws IOException {
    Pattern row = Pattern.compile("\\| `([a-z][^`]*)` \\| [^|]+ \\| ([^|]+) \\| .*");
    List<String> told = new ArrayList<>();
    boolean inSection = false;
    for (String line : PAGES.get(DOCS.resolve("tuning.md"))) {
      inSection = line.startsWith("## ") ? line.equals("## Jobs of seconds") : inSection;
      Matcher matcher = row.matcher(line);
      if (inSection && matcher.matches()) {
        told.add(matcher.group(1) + "=" + matcher.group(2));
      }
    }
    List<String> set =
        Files.readAllLines(ROOT.resolve("deploy/quickstart/short-jobs")).stream()
            .filter(line -> !line.startsWith("#"))
            .sorted()
            .toList();
    assertEquals(set, told.stream().sorted().toList());
  }

  @Test
  void nothingInDocsIsWithoutAPage() throws IOException {
    Set<Path> linked = new HashSet<>();
    links().forEach(link -> linked.add(link.file));
    try (Stream<Path> files = Files.walk(DOCS)) {
      assertNone(
          "files that no page links",
          new TreeSet<>(files.filter(Files::isRegularFile).toList())
              .stream()
                  .filter(file -> !PAGES.containsKey(file) && !linked.contains(file))
                  .map(DocsTest::name));
    }
  }

  /** Tables, headings, code, and what has no blank to break at are as long as they are. */
  @Test
  void linesOfProseAreNotTooLong() {
    assertNone(
        "lines of more than " + WIDTH + " characters",
        PAGES.keySet().stream()
            .flatMap(
                page ->
                    prose(page).stream()
                        .filter(line -> line.codePointCount(0, line.length()) > WIDTH)
                        .filter(line -> !line.matches("[|#!<].*"))
                        .filter(line -> CODE.matcher(line).replaceAll("x").strip().contains(" "))
                        .map(line -> name(page) + ": " + line)));
  }
}
