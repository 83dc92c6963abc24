// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

/**
 * Reading what was measured, and drawing it: for the quickstart, the benchmarks and the campaigns.
 */
package io.hottub.report;
