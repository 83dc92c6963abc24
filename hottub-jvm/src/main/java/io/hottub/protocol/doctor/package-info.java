// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What {@code hottub doctor} looks at on every machine, and how it tells of it. */
package io.hottub.protocol.doctor;
