// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Constants of the class library, which nothing but a run can change that opens it. */
public class Opened extends Kind {
  private static void write(Object holder, String field, Object value) throws Exception {
    Field opened = holder.getClass().getDeclaredField(field);
    opened.setAccessible(true);
    opened.set(holder, value);
  }

  @Override
  protected void dirty() throws Exception {
    Field digits = Integer.class.getDeclaredField("digits");
    digits.setAccessible(true);
    ((char[]) digits.get(null))[10] = 'X';
    write(5, "value", 7);
    write(5L, "value", 7L);
    write((short) 5, "value", (short) 7);
    write((byte) 5, "value", (byte) 7);
    write('5', "value", '7');
    write(TimeUnit.SECONDS, "scale", 1L);
    write(TimeUnit.SECONDS, "maxSecs", 1L);
    write(Boolean.TRUE, "value", false);
  }

  @Override
  protected void probe() {
    show("digit", () -> Integer.toString(10, 16));
    show("boxes", () -> List.<Object>of(5, 5L, (short) 5, (byte) 5, '5', true));
    show("unit", () -> TimeUnit.SECONDS.toMinutes(120));
  }
}
