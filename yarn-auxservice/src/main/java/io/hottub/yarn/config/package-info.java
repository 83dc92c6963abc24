// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** The settings of HotTub in {@code yarn-site.xml}. */
package io.hottub.yarn.config;
