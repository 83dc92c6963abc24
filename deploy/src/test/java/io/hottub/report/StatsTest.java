// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTest {
  private static final double EXACT = 1e-12;

  @Test
  void medianOfAnEvenNumberIsTheMiddleOfTwo() {
    assertEquals(2.5, Stats.median(4, 1, 2, 3));
    assertEquals(2, Stats.median(3, 1, 2));
    assertEquals(2, Stats.median(List.of(3L, 1L, 2L)));
  }

  @Test
  void thereIsNoMedianOfNothing() {
    assertTrue(Double.isNaN(Stats.median()));
    assertTrue(Double.isNaN(Stats.geometricMean()));
  }

  @Test
  void quantilesLieOnTheLineBetweenValues() {
    double[] values = {50, 10, 20, 40, 30};
    assertEquals(10, Stats.quantile(values, 0));
    assertEquals(20, Stats.quantile(values, 0.25));
    assertEquals(46, Stats.quantile(values, 0.9), EXACT);
    assertEquals(50, Stats.quantile(values, 1));
    assertEquals(50, values[0], "the values keep their order");
  }

  @Test
  void geometricMeanOfARatioAndItsInverseIsOne() {
    assertEquals(1, Stats.geometricMean(4, 0.25), EXACT);
  }

  @Test
  void slopeIsThatOfTheLine() {
    assertEquals(2, Stats.slope(new double[] {1, 2, 3}, new double[] {5, 7, 9}), EXACT);
    assertTrue(Double.isNaN(Stats.slope(new double[] {1, 2}, new double[] {5, 7})));
    assertTrue(Double.isNaN(Stats.slope(new double[] {1, 1, 1}, new double[] {5, 7, 9})));
  }
}
