// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * The pool protocol, seen from outside of a pooled JVM: find keepers, ask for their state, end
 * leases and JVMs. {@code docs/protocol.md} is the specification; nothing else in HotTub's Java
 * code knows the wire format.
 */
package io.hottub.protocol;
