// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.reflect.Field;

/** Numbers in an array of the class library, which nothing but a run can change that opens it. */
public class Opened extends Kind {
  @Override
  protected void dirty() throws Exception {
    Field digits = Integer.class.getDeclaredField("digits");
    digits.setAccessible(true);
    ((char[]) digits.get(null))[10] = 'X';
  }

  @Override
  protected void probe() {
    show("digit", () -> Integer.toString(10, 16));
  }
}
