// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn;

/** A setting in {@code yarn-site.xml}, with what its documentation needs. */
interface ConfigKey {
  String name();

  /** The default as a reader of the documentation should see it. */
  String defaultText();

  /** Allowed values and their unit. */
  String values();

  String meaning();
}
