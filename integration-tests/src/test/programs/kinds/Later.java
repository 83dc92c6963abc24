// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

/** The test moves this class out of the class path. */
public class Later {}
