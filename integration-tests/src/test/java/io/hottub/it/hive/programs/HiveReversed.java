// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.io.Text;

/** A function that a session adds by {@code ADD JAR}: the text, reversed, and how often it ran. */
public final class HiveReversed extends UDF {
  private static int calls;

  /** What Hive calls for each row. */
  public Text evaluate(Text text) {
    calls++;
    String first = calls == 1 ? "!" : "";
    return new Text(new StringBuilder(text.toString()).reverse() + first);
  }
}
