// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens directory streams, and closes none. */
public class Folders {
  public static void main(String[] args) throws Exception {
    List<Object> open = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      open.add(Files.newDirectoryStream(Path.of("/")));
    }
    System.out.println(open.size());
  }
}
