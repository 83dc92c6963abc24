// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts of a file that come from the code, between marks that say from what: golden files. {@code
 * ./mvnw test -Dhottub.jvm.skip=true -Dhottub.docs.update=true} writes them anew.
 */
public final class GeneratedPart {
  private static final Pattern PART =
      Pattern.compile(
          "(?s)([^\\n]*begin: generated from [^\\n]*\\n)(.*?)( *(?:// end|<!-- end -->)\\n)");

  private GeneratedPart() {}

  /** Fails unless the parts of the file, in their order, are these texts. */
  public static void assertUpToDate(Path file, List<String> parts) throws IOException {
    String text = Files.readString(file);
    StringBuilder made = new StringBuilder();
    Matcher part = PART.matcher(text);
    for (String expected : parts) {
      assertTrue(part.find(), () -> file + " has " + parts.size() + " generated parts");
      part.appendReplacement(
          made, Matcher.quoteReplacement(part.group(1) + expected + part.group(3)));
    }
    part.appendTail(made);
    if (Boolean.getBoolean("hottub.docs.update")) {
      Files.writeString(file, made);
    } else {
      assertEquals(made.toString(), text, file + " is out of date");
    }
  }
}
