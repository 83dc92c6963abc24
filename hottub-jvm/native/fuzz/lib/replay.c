// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// Runs a target on the files, and those in the folders, of the command line, and says how many
// they were.

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "text.h"

static const char *current;

// A sanitizer or an expectation ends the process.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
static void tell(void) { fprintf(stderr, "input: %s\n", current); }
static void tell_and_abort(int number) {
  tell();
  signal(number, SIG_DFL);
  raise(number);
}

static unsigned run_file(const char *path) {
  size_t size;
  char *data = read_file(path, 1 << 20, &size);
  if (!data) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  // A copy of its very size, so that a read beyond its end is seen.
  uint8_t *exact = malloc(size ? size : 1);
  for (size_t i = 0; i < size; i++) exact[i] = (uint8_t)data[i];
  free(data);
  current = path;
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 1;
}

static unsigned run_path(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return run_file(path);
  unsigned runs = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    char *child = join_text(join_text(path, "/"), entry->d_name);
    runs += run_file(child);
  }
  closedir(folder);
  return runs;
}

int main(int argc, char **argv) {
  unsigned runs = 0;
  signal(SIGABRT, tell_and_abort);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell);
  for (int i = 1; i < argc; i++) runs += run_path(argv[i]);
  printf("%s: %u inputs\n", program_invocation_short_name, runs);
  return runs == 0;
}
