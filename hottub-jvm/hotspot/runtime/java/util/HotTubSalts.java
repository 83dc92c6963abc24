// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
package java.util;

import jdk.internal.misc.Unsafe;

/**
 * The salt by which immutable collections choose the order of their elements: each process draws
 * one. The reset, too, writes back the one of S0; compiled code holds none (HotTubConstants).
 */
public final class HotTubSalts {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();

  private static long salt;
  private static long reverse;

  private HotTubSalts() {}

  public static void prepare() {
    salt = UNSAFE.staticFieldOffset(field("SALT32L"));
    reverse = UNSAFE.staticFieldOffset(field("REVERSE"));
  }

  private static java.lang.reflect.Field field(String name) {
    try {
      return ImmutableCollections.class.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Another one, as ImmutableCollections draws it. */
  public static void draw() {
    long product = 0x243F_6A88_85A3_08D3L * System.nanoTime();
    long drawn = (int) (product >> 16) & 0xFFFF_FFFFL;
    UNSAFE.putLong(ImmutableCollections.class, salt, drawn);
    UNSAFE.putBoolean(ImmutableCollections.class, reverse, (drawn & 1) == 0);
  }
}
