// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** One measure of one job: of its runs on stock JVMs, and of those on HotTub. */
public final class Sides {
  private final double[] stock;
  private final double[] hotTub;

  public Sides(double[] stock, double[] hotTub) {
    this.stock = stock.clone();
    this.hotTub = hotTub.clone();
  }

  public double[] stock() {
    return stock.clone();
  }

  public double[] hotTub() {
    return hotTub.clone();
  }

  public double stockMedian() {
    return Stats.median(stock);
  }

  public double hotTubMedian() {
    return Stats.median(hotTub);
  }

  /** How many times as much it is on stock JVMs. */
  public double ratio() {
    return stockMedian() / hotTubMedian();
  }

  /** For people. What used less than the resolution of its clock has no ratio. */
  public String ratioText() {
    return hotTubMedian() > 0 ? String.format(Locale.ROOT, "%.1fx", ratio()) : "-";
  }

  /** The most of all runs. */
  double most() {
    return DoubleStream.concat(DoubleStream.of(stock), DoubleStream.of(hotTub)).max().orElse(0);
  }
}
