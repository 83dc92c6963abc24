// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict reader, and a quoting writer of texts, for the JSON that parts of HotTub send each
 * other. Values become String, BigDecimal, Boolean, Map, List or null. No dependency, because this
 * library also runs inside other people's daemons.
 */
public final class Json {
  /** Deeper than any of them nests, and far from the end of the stack. */
  private static final int MAX_DEPTH = 16;

  /** Longer numbers only serve to make arithmetic slow. */
  private static final int MAX_NUMBER_LENGTH = 40;

  private final String text;
  private int position;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads an object; its members keep their order.
   *
   * @throws ProtocolException if the text is anything but one JSON object
   */
  public static Map<String, Object> parseObject(String text) throws ProtocolException {
    Json json = new Json(text);
    json.skipSpace();
    Map<String, Object> object = json.object(0);
    json.skipSpace();
    if (json.position != text.length()) {
      throw json.error("text after the end");
    }
    return object;
  }

  /** A text as a JSON string, quotes included. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private Object value(int depth) throws ProtocolException {
    if (depth > MAX_DEPTH) {
      throw error("nested too deep");
    }
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) throws ProtocolException {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    skipSpace();
    if (accept('}')) {
      return members;
    }
    do {
      skipSpace();
      String name = string();
      skipSpace();
      expect(':');
      skipSpace();
      Object value = value(depth + 1);
      if (members.containsKey(name)) {
        throw error("member \"" + name + "\" given twice");
      }
      members.put(name, value);
      skipSpace();
    } while (accept(','));
    expect('}');
    return members;
  }

  private List<Object> array(int depth) throws ProtocolException {
    List<Object> elements = new ArrayList<>();
    expect('[');
    skipSpace();
    if (accept(']')) {
      return elements;
    }
    do {
      skipSpace();
      elements.add(value(depth + 1));
      skipSpace();
    } while (accept(','));
    expect(']');
    return elements;
  }

  private String string() throws ProtocolException {
    expect('"');
    StringBuilder result = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return result.toString();
      }
      if (c < ' ') {
        throw error("control character in a string");
      }
      result.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() throws ProtocolException {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(next(), 16);
          if (digit < 0) {
            throw error("wrong \\u escape");
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw error("unknown escape");
    };
  }

  private BigDecimal number() throws ProtocolException {
    int start = position;
    while (position < text.length() && "+-.0123456789eE".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    String digits = text.substring(start, position);
    if (digits.length() > MAX_NUMBER_LENGTH
        || !digits.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]{1,3})?")) {
      throw error("not a number");
    }
    return new BigDecimal(digits);
  }

  private <T> T word(String word, T value) throws ProtocolException {
    if (!text.startsWith(word, position)) {
      throw error("unknown word");
    }
    position += word.length();
    return value;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private char peek() throws ProtocolException {
    if (position >= text.length()) {
      throw error("unexpected end");
    }
    return text.charAt(position);
  }

  private char next() throws ProtocolException {
    char c = peek();
    position++;
    return c;
  }

  private boolean accept(char wanted) throws ProtocolException {
    if (peek() != wanted) {
      return false;
    }
    position++;
    return true;
  }

  private void expect(char wanted) throws ProtocolException {
    if (!accept(wanted)) {
      throw error("'" + wanted + "' expected");
    }
  }

  private ProtocolException error(String message) {
    return new ProtocolException("JSON: " + message + " at character " + position);
  }
}
