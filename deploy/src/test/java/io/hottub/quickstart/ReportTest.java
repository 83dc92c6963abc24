// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hottub.report.Tsv;
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
    JobPairs job = JobPairs.parse(Tsv.rows(LINES)).get(0);
    assertEquals(19_000, job.wallMs().stockMedian());
    assertEquals(4_500, job.wallMs().hotTubMedian());
    assertEquals(9_000, job.cpuMs().hotTubMedian());
    assertEquals(6, job.containers());
    assertEquals(4, job.containersWarm());
    assertTrue(job.fasterInEveryPair());
    assertEquals(1_125, job.ownMs().hotTubMedian());
  }

  @Test
  void oneOtherResultAmongAllIsADifference() {
    assertTrue(JobPairs.parse(Tsv.rows(LINES)).get(0).equalResults());
    List<String> lines =
        List.of(LINES.get(0), LINES.get(1), run("stock", 1, 1, "b"), run("hottub", 1, 1, "b"));
    assertFalse(JobPairs.parse(Tsv.rows(lines)).get(0).equalResults());
  }

  @Test
  void aPairOfWhichOneSideIsMissingIsLeftOut() {
    assertEquals(2, JobPairs.parse(Tsv.rows(LINES.subList(0, 5))).get(0).pairs().size());
  }

  @Test
  void chartIsXmlAndTablesNameTheJob() throws Exception {
    Properties facts = new Properties();
    facts.setProperty("jdk", "17 & <more>");
    facts.setProperty("cluster_settings", "a.name=7 b.name=x=y");
    List<JobPairs> jobs = JobPairs.parse(Tsv.rows(LINES));
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(Report.svg(jobs, facts))));
    assertTrue(ReportTable.table(jobs).contains("4.2x"));
    assertTrue(
        ReportPage.markdown(jobs, facts).contains("| Spark SQL on YARN | 19.0 | 4.50 | 4.2x |"));
    assertTrue(ReportJson.json(jobs, facts).contains("\"hottub_wall_ms\":4500.0"));
    assertTrue(ReportPage.markdown(jobs, facts).contains("both sides: a.name=7 b.name=x=y."));
    assertFalse(ReportPage.markdown(jobs, facts).contains("limit"));
    facts.setProperty("limit.spark", "812");
    assertTrue(
        ReportPage.markdown(jobs, facts).contains("| Spark SQL on YARN | 4.75 | 1.13 | 0.812 |"));
  }
}
