// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What {@code hottub doctor} looks at on a node: the settings of its NodeManager. */
package io.hottub.yarn.doctor;
