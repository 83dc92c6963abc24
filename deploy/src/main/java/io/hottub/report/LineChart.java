// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Panels, two in a row, of lines over a common axis that begins at 0. Lines of one name have one
 * colour in all panels; there may be several of a name.
 */
public final class LineChart {
  private static final int WIDTH = 400;
  private static final int HEIGHT = 150;
  private static final int LEFT = 60;
  private static final int STEP_X = WIDTH + LEFT + 20;
  private static final int STEP_Y = HEIGHT + 60;
  private static final List<String> COLOURS =
      List.of(
          "#e4572e", "#2e86ab", "#3b7a57", "#8e44ad", "#c9a227", "#666666", "#d16ba5", "#16a085");

  private static final class Line {
    final String name;
    final double[] x;
    final double[] y;

    Line(String name, double[] x, double[] y) {
      this.name = name;
      this.x = x;
      this.y = y;
    }
  }

  private record Panel(String title, List<Line> lines) {}

  private final String axis;
  private final List<Panel> panels = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();

  /**
   * An empty chart.
   *
   * @param axis what is counted from left to right
   */
  public LineChart(String axis) {
    this.axis = axis;
  }

  /** Begins the next panel. */
  public void panel(String title) {
    panels.add(new Panel(title, new ArrayList<>()));
  }

  /** Adds a line to the last panel. */
  public void line(String name, double[] x, double[] y) {
    names.add(name);
    panels.get(panels.size() - 1).lines.add(new Line(name, x.clone(), y.clone()));
  }

  private String colour(String name) {
    return COLOURS.get(List.copyOf(names).indexOf(name) % COLOURS.size());
  }

  private static double most(List<Line> lines, boolean ofX) {
    double most = 0;
    for (Line line : lines) {
      for (double value : ofX ? line.x : line.y) {
        most = Math.max(most, value);
      }
    }
    return most;
  }

  /** The drawing. */
  public String svg() {
    int rows = (panels.size() + 1) / 2;
    Svg svg = new Svg(2 * STEP_X + 20, rows * STEP_Y + 60, 12);
    int at = LEFT;
    for (String name : names) {
      svg.text(at, 20, colour(name), 12, name);
      at += 110;
    }
    double right = panels.stream().mapToDouble(panel -> most(panel.lines, true)).max().orElse(0);
    for (int i = 0; i < panels.size(); i++) {
      draw(svg, panels.get(i), LEFT + i % 2 * STEP_X, 60 + i / 2 * STEP_Y, right);
    }
    return svg.toString();
  }

  private void draw(Svg svg, Panel panel, int x, int y, double right) {
    double top = most(panel.lines, false);
    svg.text(x, y - 8, Svg.INK, 12, panel.title);
    svg.path(new double[] {x, y, x, y + HEIGHT, x + WIDTH, y + HEIGHT}, "#999");
    svg.text(x - 40, y + 10, Svg.GREY_INK, 12, String.format(Locale.ROOT, "%.0f", top));
    svg.text(x - 14, y + HEIGHT, Svg.GREY_INK, 12, "0");
    String end = String.format(Locale.ROOT, "%s %.0f", axis, right);
    svg.text(x + WIDTH - 70, y + HEIGHT + 15, Svg.GREY_INK, 12, end);
    for (Line line : panel.lines) {
      double[] points = new double[2 * line.x.length];
      for (int i = 0; i < line.x.length; i++) {
        points[2 * i] = x + WIDTH * line.x[i] / Math.max(right, 1e-9);
        points[2 * i + 1] = y + HEIGHT - HEIGHT * line.y[i] / Math.max(top, 1e-9);
      }
      svg.path(points, colour(line.name));
    }
  }
}
