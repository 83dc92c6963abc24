// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.DoubleStream;

/** What a report says of numbers; NaN of none. */
public final class Stats {
  private Stats() {}

  /** The middle one, or the middle of the two middle ones. */
  public static double median(double... values) {
    return quantile(values, 0.5);
  }

  /** The middle one of boxed numbers. */
  public static double median(Collection<? extends Number> values) {
    return median(values.stream().mapToDouble(Number::doubleValue).toArray());
  }

  /** What a share of the values is below; between two values, on the line from one to the other. */
  public static double quantile(double[] values, double share) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double at = share * (sorted.length - 1);
    int low = (int) at;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
  }

  /** Of ratios, whose mean has to be that of their inverses, too. */
  public static double geometricMean(double... ratios) {
    return Math.exp(DoubleStream.of(ratios).map(Math::log).average().orElse(Double.NaN));
  }

  /** Of the line through the points by least squares; NaN of fewer than three. */
  public static double slope(double[] x, double[] y) {
    double meanX = DoubleStream.of(x).average().orElse(Double.NaN);
    double meanY = DoubleStream.of(y).average().orElse(Double.NaN);
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < x.length; i++) {
      xx += (x[i] - meanX) * (x[i] - meanX);
      xy += (x[i] - meanX) * (y[i] - meanY);
    }
    return x.length < 3 || xx == 0 ? Double.NaN : xy / xx;
  }
}
