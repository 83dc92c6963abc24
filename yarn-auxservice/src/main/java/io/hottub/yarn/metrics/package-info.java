// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What is measured, on JMX and as Prometheus text. */
package io.hottub.yarn.metrics;
