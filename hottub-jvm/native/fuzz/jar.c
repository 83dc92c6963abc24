// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

// The manifest of a jar on the user's class path. Input: the jar.

#include "jar.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

const bool target_frees_memory = false;

static int jar;

void target_prepare(void) { jar = memfd_create("fuzz", MFD_CLOEXEC); }

void target_run(const uint8_t *data, size_t size) {
  static const char *const names[] = {"Class-Path", "Add-Opens", "Launcher-Agent-Class", NULL};
  struct manifest manifest;
  EXPECT(ftruncate(jar, (off_t)size) == 0 && pwrite(jar, data, size, 0) == (ssize_t)size);
  struct jar_times times;
  if (jar_find_times(jar, &times)) {
    for (size_t i = 0; i < times.count; i++) {
      EXPECT(times.places[i] + 4 <= size && (i == 0 || times.places[i] >= times.places[i - 1] + 4));
    }
    free(times.places);
  }
  if (!jar_read_manifest(jar, &manifest)) return;
  EXPECT(!strchr(manifest.text, '\r') && !strstr(manifest.text, "\n\n"));
  for (size_t i = 0; names[i]; i++) {
    char *value = manifest_value(&manifest, names[i]);
    EXPECT(!value || (*value != ' ' && !strchr(value, '\n') && strstr(manifest.text, value)));
  }
}
