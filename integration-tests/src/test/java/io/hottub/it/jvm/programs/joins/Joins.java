// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package joins;

import java.util.Arrays;

/** In another package than the class that inherits from it. */
public class Joins {
  protected String join(Object... parts) {
    return Arrays.toString(parts);
  }
}
