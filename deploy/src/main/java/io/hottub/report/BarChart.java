// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Stock JVMs and HotTub beside each other: a row for each job, a panel for each measure. The
 * longest run has the full width of its panel; a bar is a median, a dot is one run.
 */
public final class BarChart {
  private static final int PANEL = 300;
  private static final int GAP = 110;
  private static final int ROW = 74;
  private static final int TOP = 78;
  private static final int BAR = 20;

  private record Row(String title, List<Sides> measures) {}

  private final String title;
  private final List<String> sides;
  private final List<String> measures;
  private final DoubleFunction<String> withUnit;
  private final List<Row> rows = new ArrayList<>();

  /**
   * An empty chart.
   *
   * @param withUnit what is written at the end of a bar
   */
  public BarChart(String title, List<String> measures, DoubleFunction<String> withUnit) {
    this(title, List.of("stock", "HotTub"), measures, withUnit);
  }

  /**
   * An empty chart of other sides.
   *
   * @param sides the two names
   * @param withUnit what is written at the end of a bar
   */
  public BarChart(
      String title, List<String> sides, List<String> measures, DoubleFunction<String> withUnit) {
    this.title = title;
    this.sides = List.copyOf(sides);
    this.measures = List.copyOf(measures);
    this.withUnit = withUnit;
  }

  /** Adds a row, with as many measures as there are panels. */
  public BarChart add(String job, Sides... sides) {
    rows.add(new Row(job, List.of(sides)));
    return this;
  }

  /**
   * The drawing.
   *
   * @param note a line below it
   */
  public String svg(String note) {
    int longest = rows.stream().mapToInt(row -> row.title.length()).max().orElse(0);
    int left = Math.max(190, 16 + 7 * longest);
    Svg svg = new Svg(left + measures.size() * (PANEL + GAP), TOP + ROW * rows.size() + 34, 13);
    svg.text(16, 26, Svg.INK, 17, title);
    for (int i = 0; i < measures.size(); i++) {
      svg.text(left + i * (PANEL + GAP), 56, Svg.INK, 13, measures.get(i));
    }
    int y = TOP;
    for (Row row : rows) {
      svg.text(16, y + 30, Svg.INK, 13, row.title);
      for (int i = 0; i < row.measures.size(); i++) {
        bars(svg, left + i * (PANEL + GAP), y, row.measures.get(i));
      }
      y += ROW;
    }
    svg.rectangle(16, y + 6, 12, 12, Svg.STOCK).text(33, y + 17, Svg.INK, 12, sides.get(0));
    svg.rectangle(80, y + 6, 12, 12, Svg.HOTTUB).text(97, y + 17, Svg.INK, 12, sides.get(1));
    return svg.text(left, y + 17, Svg.GREY_INK, 11, note).toString();
  }

  private void bars(Svg svg, int x, int y, Sides sides) {
    double scale = PANEL / Math.max(sides.most(), 1e-9);
    String stock = withUnit.apply(sides.stockMedian());
    String hotTub = withUnit.apply(sides.hotTubMedian()) + "  (" + sides.ratioText() + ")";
    bar(svg, x, y + 4, scale, sides.stockMedian(), sides.stock(), Svg.STOCK, stock);
    bar(svg, x, y + 30, scale, sides.hotTubMedian(), sides.hotTub(), Svg.HOTTUB, hotTub);
  }

  private static void bar(
      Svg svg,
      int x,
      int y,
      double scale,
      double median,
      double[] runs,
      String fill,
      String label) {
    double end = scale * median;
    svg.rectangle(x, y, end, BAR, fill);
    for (double run : runs) {
      svg.dot(x + scale * run, y + BAR / 2);
      end = Math.max(end, scale * run);
    }
    svg.text((int) (x + end + 7), y + 15, Svg.INK, 12, label);
  }
}
