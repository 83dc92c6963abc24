// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.Locale;

/** A drawing, as text. */
final class Svg {
  static final String INK = "#222";
  static final String GREY_INK = "#666";
  static final String STOCK = "#b9c0c9";
  static final String HOTTUB = "#e4572e";

  private final StringBuilder text = new StringBuilder();

  Svg(int width, int height, int fontSize) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
            + " height=\"%2$d\" font-family=\"sans-serif\" font-size=\"%3$d\">",
        width, height, fontSize);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** With the left end of its base line at x and y. */
  Svg text(int x, int y, String colour, int size, String words) {
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"start\" fill=\"%s\" font-size=\"%d\">%s</text>",
        x, y, colour, size, escape(words));
    return this;
  }

  Svg rectangle(double x, int y, double width, int height, String fill) {
    add(
        "<rect x=\"%s\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        x == (int) x ? Integer.toString((int) x) : String.format(Locale.ROOT, "%.1f", x),
        y,
        width,
        height,
        fill);
    return this;
  }

  /** One run. */
  Svg dot(double x, int y) {
    add("<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" fill=\"#333\" fill-opacity=\"0.6\"/>", x, y);
    return this;
  }

  Svg circle(double x, int y, double radius, String fill) {
    add("<circle cx=\"%.1f\" cy=\"%d\" r=\"%.1f\" fill=\"%s\"/>", x, y, radius, fill);
    return this;
  }

  Svg line(double x1, int y1, double x2, int y2, String colour, int width) {
    add(
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%d\"/>",
        x1, x2, y1, y2, colour, width);
    return this;
  }

  /** A line through points, x and y in turn. */
  Svg path(double[] points, String colour) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      all.append(i == 0 ? "" : " ");
      all.append(String.format(Locale.ROOT, "%.1f,%.1f", points[i], points[i + 1]));
    }
    add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>", all, colour);
    return this;
  }

  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
