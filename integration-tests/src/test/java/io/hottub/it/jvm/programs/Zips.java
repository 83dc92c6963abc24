// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.zip.ZipOutputStream;

/** Sets a property that the class library reads when it first writes a zip file. */
public class Zips {
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.setProperty("jdk.util.zip.inhibitZip64", args[0]);
    }
    new ZipOutputStream(OutputStream.nullOutputStream()).close();
    // To see it in what is written, that would have to be huge.
    Field inhibits = ZipOutputStream.class.getDeclaredField("inhibitZip64");
    inhibits.setAccessible(true);
    System.out.println("inhibits: " + inhibits.getBoolean(null));
  }
}
