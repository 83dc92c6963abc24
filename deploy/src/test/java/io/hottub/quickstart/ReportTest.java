// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class ReportTest {
  private static String run(String side, int pair, int wallMs, String digest) {
    return String.join(
        "\t",
        "spark",
        side,
        "" + pair,
        "" + wallMs,
        "" + 2 * wallMs,
        "true",
        digest,
        "3",
        "3",
        "2",
        "2",
        "2",
        "1",
        "" + wallMs / 4);
  }

  private static final List<String> LINES =
      List.of(
          run("stock", 0, 90_000, "a"),
          run("hottub", 0, 95_000, "a"),
          run("hottub", 1, 4_000, "a"),
          run("stock", 1, 20_000, "a"),
          run("stock", 2, 18_000, "a"),
          run("hottub", 2, 5_000, "a"));

  @Test
  void warmUpIsInNoMedian() {
    Report.Job job = Report.parse(LINES).get(0);
    assertEquals(19_000, job.stockWallMs());
    assertEquals(4_500, job.hotTubWallMs());
    assertEquals(9_000, job.hotTubCpuMs());
    assertEquals(6, job.containers());
    assertEquals(4, job.containersWarm());
    assertTrue(job.fasterInEveryPair());
    assertEquals(1_125, job.hotTubOwnMs());
  }

  @Test
  void oneOtherResultAmongAllIsADifference() {
    assertTrue(Report.parse(LINES).get(0).equalResults());
    List<String> lines =
        List.of(LINES.get(0), LINES.get(1), run("stock", 1, 1, "b"), run("hottub", 1, 1, "b"));
    assertFalse(Report.parse(lines).get(0).equalResults());
  }

  @Test
  void aPairOfWhichOneSideIsMissingIsLeftOut() {
    assertEquals(2, Report.parse(LINES.subList(0, 5)).get(0).pairs().size());
  }

  @Test
  void medianOfAnEvenNumberIsTheMiddleOfTwo() {
    assertEquals(2.5, Report.median(4, 1, 2, 3));
    assertEquals(2, Report.median(3, 1, 2));
  }

  @Test
  void chartIsXmlAndTablesNameTheJob() throws Exception {
    Properties facts = new Properties();
    facts.setProperty("jdk", "17 & <more>");
    List<Report.Job> jobs = Report.parse(LINES);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(Report.svg(jobs, facts))));
    assertTrue(Report.table(jobs).contains("4.2x"));
    assertTrue(Report.markdown(jobs, facts).contains("| Spark SQL on YARN | 19.0 | 4.50 | 4.2x |"));
    assertTrue(Report.json(jobs, facts).contains("\"hottub_wall_ms\":4500.0"));
    assertFalse(Report.markdown(jobs, facts).contains("limit"));
    facts.setProperty("limit.spark", "812");
    assertTrue(
        Report.markdown(jobs, facts).contains("| Spark SQL on YARN | 4.75 | 1.13 | 0.812 |"));
  }
}
