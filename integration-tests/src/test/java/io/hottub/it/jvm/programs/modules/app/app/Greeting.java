// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package app;

/** A service of another module. */
public interface Greeting {
  String greeting();
}
