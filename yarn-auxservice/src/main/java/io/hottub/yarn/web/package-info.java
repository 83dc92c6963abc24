// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** The page about the pool in the NodeManager's web server. */
package io.hottub.yarn.web;
