// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

/** The test deletes this class. */
class Missing {}
