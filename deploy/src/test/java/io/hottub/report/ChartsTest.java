// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartsTest {
  private static NodeList elements(String svg, String name) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    return document.getElementsByTagName(name);
  }

  private static String attribute(NodeList elements, int i, String name) {
    return ((Element) elements.item(i)).getAttribute(name);
  }

  @Test
  void barsAreMediansAndDotsAreRuns() throws Exception {
    BarChart chart = new BarChart("title & <more>", List.of("wall"), ms -> ms + " ms");
    chart.add("job", new Sides(new double[] {100, 50, 80}, new double[] {10, 20}));
    String svg = chart.svg("note");
    assertEquals(5, elements(svg, "circle").getLength());
    NodeList bars = elements(svg, "rect");
    assertEquals("240.0", attribute(bars, 1, "width"), "80 of 100, of 300 pixels");
    assertEquals("45.0", attribute(bars, 2, "width"));
    assertTrue(svg.contains(">80.0 ms<") && svg.contains(">15.0 ms  (5.3x)<"), svg);
    assertTrue(svg.contains("title &amp; &lt;more&gt;"), svg);
  }

  @Test
  void whatUsedNothingHasNoRatio() {
    assertEquals("-", new Sides(new double[] {10}, new double[] {0}).ratioText());
  }

  @Test
  void aLongNameMovesThePanelsToTheRight() throws Exception {
    Sides sides = new Sides(new double[] {1}, new double[] {1});
    String name = "a job whose name is longer than others";
    String svg = new BarChart("", List.of("wall"), Double::toString).add(name, sides).svg("");
    assertEquals("282", attribute(elements(svg, "rect"), 1, "x"));
  }

  @Test
  void ratiosOutsideOfTheScaleStayAtItsEnds() throws Exception {
    RatioChart chart = new RatioChart("title", 0.05);
    chart.add("much", 3, 2, 4);
    chart.add("equal", 1, 1, 1);
    NodeList dots = elements(chart.svg("note"), "circle");
    assertEquals("890.0", attribute(dots, 0, "cx"));
    assertEquals("618.2", attribute(dots, 1, "cx"));
  }

  @Test
  void linesOfOneNameHaveOneColour() throws Exception {
    LineChart chart = new LineChart("run");
    for (String panel : List.of("threads", "memory")) {
      chart.panel(panel);
      for (String name : List.of("a", "b", "a")) {
        chart.line(name, new double[] {0, 10}, new double[] {0, 5});
      }
    }
    String svg = chart.svg();
    NodeList lines = elements(svg, "polyline");
    assertEquals(8, lines.getLength(), "three in each of two panels, and their axes");
    assertEquals(attribute(lines, 1, "stroke"), attribute(lines, 7, "stroke"));
    assertTrue(!attribute(lines, 1, "stroke").equals(attribute(lines, 2, "stroke")));
    assertEquals("60.0,210.0 460.0,60.0", attribute(lines, 1, "points"));
    assertTrue(svg.contains(">run 10<"), svg);
  }
}
