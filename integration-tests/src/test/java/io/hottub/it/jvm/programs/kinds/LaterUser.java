// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.util.function.Supplier;

/** Names {@link Later}. */
public class LaterUser implements Supplier<String> {
  @Override
  public String get() {
    return "user of " + new Later().get();
  }
}
