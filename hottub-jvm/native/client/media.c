// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "media.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "text.h"

// Documentation/admin-guide/devices.txt of Linux. Others have their medium as long as the machine
// runs, mostly.
enum { NO_DEVICE = 0, LOOP = 7 };

enum { FILE_BYTES = 4096 };  // that sysfs says of each

// Of the device, or of the one that it is a part of; NULL if there is none.
static char *read_sequence(dev_t device) {
  char path[64];
  snprintf(path, sizeof path, "/sys/dev/block/%u:%u/diskseq", major(device), minor(device));
  char *text = read_file(path, FILE_BYTES, NULL);
  if (text) return text;
  snprintf(path, sizeof path, "/sys/dev/block/%u:%u/../diskseq", major(device), minor(device));
  return read_file(path, FILE_BYTES, NULL);
}

static bool look_up(dev_t device, uint64_t *number) {
  *number = 0;
  if (major(device) == NO_DEVICE) return true;
  char *text = read_sequence(device);
  if (!text) return major(device) != LOOP;
  *number = strtoull(text, NULL, 10) << 32;
  free(text);
  return true;
}

bool media_number(struct media *media, dev_t device, uint64_t *number) {
  for (size_t i = 0; i < media->count; i++) {
    if (media->of[i].device != device) continue;
    *number = media->of[i].number;
    return media->of[i].is_known;
  }
  bool is_known = look_up(device, number);
  if (media->count < MEDIA_MAX) {
    size_t i = media->count++;
    media->of[i].device = device;
    media->of[i].number = *number;
    media->of[i].is_known = is_known;
  }
  return is_known;
}
