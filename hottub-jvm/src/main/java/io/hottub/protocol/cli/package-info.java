// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** The {@code hottub} command. */
package io.hottub.protocol.cli;
