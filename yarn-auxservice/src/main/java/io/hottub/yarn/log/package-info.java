// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What the log of a daemon gets of what lasts. */
package io.hottub.yarn.log;
