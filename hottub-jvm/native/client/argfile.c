// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "argfile.h"

#include <ctype.h>
#include <string.h>

#include "bytes.h"
#include "cold.h"

enum place { BETWEEN, COMMENT, TOKEN, QUOTED, ESCAPED, CONTINUED };

struct splitter {
  enum place place;
  char quote;
  bool pieces;         // the token has had a quoted or escaped part
  struct bytes token;  // those parts and what stood before them
  struct bytes plain;  // what has come since; a comment drops it
  struct list *out;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static void keep_plain(struct splitter *s) {
  bytes_add(&s->token, s->plain.data, s->plain.length);
  s->plain.length = 0;
  s->pieces = true;
}

static void finish_token(struct splitter *s) {
  bytes_add(&s->token, s->plain.data, s->plain.length);
  if (s->token.failed || s->plain.failed) run_cold(COLD_OUT_OF_MEMORY);
  list_add(s->out, copy_part((const char *)s->token.data, s->token.length));
  s->token.length = 0;
  s->plain.length = 0;
  s->pieces = false;
  s->place = BETWEEN;
}

static char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

static void in_token(struct splitter *s, char c) {
  bool quoted = s->place == QUOTED;
  if (is_line_end(c) || (is_blank(c) && !quoted)) {
    finish_token(s);  // the end of a line ends an open quote, too
  } else if (c == '#' && !quoted) {
    s->plain.length = 0;
    s->place = COMMENT;
  } else if (c == '\\' && quoted) {
    keep_plain(s);
    s->place = ESCAPED;
  } else if ((c == '"' || c == '\'') && (!quoted || c == s->quote)) {
    if (s->plain.length) keep_plain(s);
    s->quote = c;
    s->place = quoted ? TOKEN : QUOTED;
  } else {
    bytes_add(&s->plain, &c, 1);
  }
}

void argfile_split(const char *text, size_t length, struct list *out) {
  struct splitter s = {.place = BETWEEN, .out = out};
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    switch (s.place) {
      case COMMENT:
        if (is_line_end(c)) s.place = BETWEEN;
        break;
      case ESCAPED:
        if (is_line_end(c)) {
          s.place = CONTINUED;
        } else {
          c = unescaped(c);
          bytes_add(&s.plain, &c, 1);
          keep_plain(&s);
          s.place = QUOTED;
        }
        break;
      case BETWEEN:
      case CONTINUED:
        if (is_blank(c) || is_line_end(c)) break;
        s.place = s.place == BETWEEN ? TOKEN : QUOTED;
        in_token(&s, c);
        break;
      case TOKEN:
      case QUOTED:
        in_token(&s, c);
        break;
    }
  }
  // A file may end inside its last token, but an empty one does not count there.
  if ((s.place == TOKEN || s.place == QUOTED) && (s.pieces || s.plain.length)) finish_token(&s);
  bytes_free(&s.token);
  bytes_free(&s.plain);
}

bool variable_split(const char *value, struct list *out) {
  while (*value) {
    while (isspace((unsigned char)*value)) value++;
    if (!*value) break;
    char *token = grab(strlen(value) + 1);
    size_t length = 0;
    while (*value && !isspace((unsigned char)*value)) {
      if (*value != '"' && *value != '\'') {
        token[length++] = *value++;
        continue;
      }
      char quote = *value++;
      while (*value && *value != quote) token[length++] = *value++;
      if (!*value) return false;
      value++;
    }
    list_add(out, token);
  }
  return true;
}
