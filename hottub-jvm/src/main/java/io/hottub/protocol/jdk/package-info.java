// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** What of the machine's own JDK a HotTub home has to have, too. */
package io.hottub.protocol.jdk;
