// Copyright the HotTub authors. SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0

#include "precompiled.hpp"
#include "hottub/hottubCrash.hpp"
#include "hottub/hottubExports.h"

#include <string.h>
#include <unistd.h>

static void (*_on_crash)(const char* text) = NULL;

// No stack, no lock and no allocation to count on. 0 at the end.
static char _report[32 * 1024];
static char _text[HOTTUB_TEXT_MAX];

void HotTubCrash::initialize(void (*on_crash)(const char* text)) { _on_crash = on_crash; }

static bool begins(const char* line, const char* words) {
  return strncmp(line, words, strlen(words)) == 0;
}

// Kinds of lines that say nothing of what the run was given or has computed, unlike its command
// line, registers and memory.
static bool is_told(const char* line) {
  static const char* const kinds[] = {"# ",
                                      "Current thread",
                                      "Current CompileTask",
                                      "C1:",
                                      "C2:",
                                      "Native frames:",
                                      "Java frames:",
                                      "siginfo:",
                                      "V  [",
                                      "C  [",
                                      "J ",
                                      "j  ",
                                      "v  "};
  for (const char* kind : kinds) {
    if (begins(line, kind)) {
      return true;
    }
  }
  return false;
}

void HotTubCrash::is_reported(int file) {
  if (_on_crash == NULL || file <= STDERR_FILENO) {
    return;  // the run has it: no file could be made
  }
  const ssize_t count = ::pread(file, _report, sizeof _report - 1, 0);
  size_t length = 0;
  for (char *line = _report, *end; count > 0 && (end = strchr(line, '\n')) != NULL;
       line = end + 1) {
    const size_t size = end + 1 - line;
    if (begins(line, "Register to memory mapping")) {
      break;  // all threads and more follow
    }
    if (is_told(line) && length + size < sizeof _text) {
      memcpy(_text + length, line, size);
      length += size;
    }
  }
  if (length > 0) {
    _on_crash(_text);
  }
}
