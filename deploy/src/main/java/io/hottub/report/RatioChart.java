// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Ratios around 1 on a logarithmic scale, each with the range in which it was seen. */
public final class RatioChart {
  private static final int LEFT = 330;
  private static final int PANEL = 560;
  private static final int TOP = 60;
  private static final int ROW = 20;
  private static final double FROM = 0.7;
  private static final double TO = 1.4;
  private static final double[] MARKS = {0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4};

  private record Row(String title, double ratio, double least, double most) {}

  private final String title;
  private final double band;
  private final List<Row> rows = new ArrayList<>();

  /**
   * An empty chart.
   *
   * @param band how far from 1 the background is coloured
   */
  public RatioChart(String title, double band) {
    this.title = title;
    this.band = band;
  }

  /** Adds a line. */
  public void add(String name, double ratio, double least, double most) {
    rows.add(new Row(name, ratio, least, most));
  }

  private static double x(double ratio) {
    double at = Math.log(Math.min(TO, Math.max(FROM, ratio)) / FROM) / Math.log(TO / FROM);
    return LEFT + PANEL * at;
  }

  /**
   * The drawing.
   *
   * @param note a line below it
   */
  public String svg(String note) {
    int bottom = TOP + ROW * rows.size();
    Svg svg = new Svg(LEFT + PANEL + 80, bottom + 40, 13);
    svg.text(16, 24, Svg.INK, 13, title);
    svg.rectangle(x(1 - band), TOP - 8, x(1 + band) - x(1 - band), bottom - TOP + 8, "#eef3ee");
    for (double mark : MARKS) {
      svg.line(x(mark), TOP - 8, x(mark), bottom, mark == 1 ? Svg.GREY_INK : "#ddd", 1);
      svg.text(
          (int) Math.round(x(mark) - 9),
          TOP - 14,
          Svg.INK,
          13,
          String.format(Locale.ROOT, "%.1f", mark));
    }
    int y = TOP + 10;
    for (Row row : rows) {
      svg.text(16, y + 4, Svg.INK, 13, row.title);
      svg.line(x(row.least), y, x(row.most), y, Svg.STOCK, 4);
      svg.circle(x(row.ratio), y, 4.5, Svg.HOTTUB);
      svg.text(
          LEFT + PANEL + 12, y + 4, Svg.INK, 13, String.format(Locale.ROOT, "%.3f", row.ratio));
      y += ROW;
    }
    return svg.text(16, y + 14, Svg.GREY_INK, 13, note).toString();
  }
}
