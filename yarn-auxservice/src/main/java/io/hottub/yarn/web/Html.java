// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.web;

import java.util.List;

/** Text of a page. What comes from outside goes through {@link #escaped}. */
final class Html {
  private static final int LONGEST = 300;

  private final StringBuilder out = new StringBuilder();

  /** A text as the content of an element or an attribute, without what is no text; "-" for none. */
  static String escaped(Object value) {
    if (value == null) {
      return "-";
    }
    String text = value.toString().replaceAll("\\p{Cntrl}", "?");
    return (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Adds what is HTML already. */
  Html raw(String html) {
    out.append(html);
    return this;
  }

  Html heading(String text) {
    return raw("<h2>").raw(escaped(text)).raw("</h2>\n");
  }

  /**
   * Adds a table.
   *
   * @param id of the element
   */
  Html table(String id, List<String> headings, List<List<Object>> rows) {
    raw("<table id=\"" + id + "\"><tr>");
    headings.forEach(heading -> raw("<th>" + escaped(heading) + "</th>"));
    raw("</tr>\n");
    for (List<Object> row : rows) {
      raw("<tr>");
      for (Object cell : row) {
        raw(cell instanceof Number ? "<td class=\"n\">" : "<td>").raw(escaped(cell)).raw("</td>");
      }
      raw("</tr>\n");
    }
    return raw("</table>\n");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
