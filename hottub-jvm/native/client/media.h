// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_MEDIA_H_
#define HOTTUB_MEDIA_H_

// Images that are mounted one after the other may have the same device, and in it the same inodes
// and times. What is in a drive, or behind a loop device, has a number of its own (diskseq, Linux
// 5.15).

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MEDIA_MAX = 8 };

// Those that were looked up, from zeroes.
struct media {
  struct {
    dev_t device;
    uint64_t number;
    bool is_known;
  } of[MEDIA_MAX];
  size_t count;
};

// The number of what is in the device: 0 where there is none, as of file systems without a device.
// False if nobody tells what is in it.
bool media_number(struct media *media, dev_t device, uint64_t *number);

#endif  // HOTTUB_MEDIA_H_
