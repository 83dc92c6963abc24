// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Arguments from files and variables of the user, up to where they are sorted into those of the
// JVM and those of the run. Input: one byte that says which of the two, and the text.

#include <string.h>

#include "argfile.h"
#include "classpath.h"
#include "fuzz.h"
#include "options.h"

const bool target_frees_memory = false;

void target_prepare(void) {}

void target_run(const uint8_t *data, size_t size) {
  struct choices input = {data, size};
  struct list words = {0}, entries = {0};
  struct options options;
  bool variable = choose_u8(&input) & 1;
  char *text = copy_part((const char *)input.at, input.left);
  if (variable && !variable_split(text, &words)) return;
  if (!variable) argfile_split(text, input.left, &words);

  size_t length = 0;
  for (size_t i = 0; i < words.count; i++) length += strlen(words.item[i]);
  EXPECT(length <= input.left && words.count <= input.left);
  EXPECT(words.count == 0 || words.item[words.count] == NULL);
  options_sort(&words, &options);
  EXPECT(options.shown.count <= words.count);
  class_path_split(options.class_path, "/cwd", &entries);
  for (size_t i = 0; i < entries.count; i++) EXPECT(entries.item[i][0] == '/');
}
