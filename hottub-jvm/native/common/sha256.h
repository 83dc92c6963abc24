// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SHA256_H_
#define HOTTUB_SHA256_H_

// SHA-256 as in FIPS 180-4.

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_BLOCK 64

struct sha256 {
  uint32_t state[8];
  uint64_t length;  // bytes so far
  uint8_t block[SHA256_BLOCK];
};

void sha256_init(struct sha256 *hash);
void sha256_update(struct sha256 *hash, const void *data, size_t length);
void sha256_final(struct sha256 *hash, uint8_t digest[SHA256_BYTES]);

#endif  // HOTTUB_SHA256_H_
