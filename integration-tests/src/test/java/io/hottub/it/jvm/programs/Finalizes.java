// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Ends while many of its objects wait for being finalized. */
public final class Finalizes {
  private static final int OBJECTS = 20_000;
  private static int finalized;

  /** Their thread is at it for some milliseconds. */
  static final class Finalized {
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
      finalized++;
    }
  }

  public static void main(String[] arguments) {
    Object[] objects = new Object[OBJECTS];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = new Finalized();
    }
    objects = null;
    System.gc();
  }
}
