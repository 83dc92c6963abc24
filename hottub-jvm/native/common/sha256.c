// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "sha256.h"

#include <string.h>

#include "sha256-blocks.h"

static void compress_blocks(uint32_t state[8], const uint8_t *data, size_t blocks) {
#if defined(__x86_64__)
  static int usable = -1;
  // In a virtual machine the hypervisor answers the question, which takes as long as 300 blocks.
  if (usable < 0 && blocks >= 300) usable = sha256_blocks_x86_usable();
  if (usable > 0) {
    sha256_blocks_x86(state, data, blocks);
    return;
  }
#endif
  sha256_blocks_portable(state, data, blocks);
}

void sha256_init(struct sha256 *hash) {
  // First 32 bits of the fractional parts of the square roots of the first 8 primes.
  *hash = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                    0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_update(struct sha256 *hash, const void *data, size_t length) {
  const uint8_t *at = data;
  size_t used = hash->length % SHA256_BLOCK;
  hash->length += length;
  if (used) {
    size_t room = SHA256_BLOCK - used;
    if (length < room) {
      if (length) memcpy(hash->block + used, at, length);
      return;
    }
    memcpy(hash->block + used, at, room);
    compress_blocks(hash->state, hash->block, 1);
    at += room;
    length -= room;
  }
  size_t blocks = length / SHA256_BLOCK;
  compress_blocks(hash->state, at, blocks);
  at += blocks * SHA256_BLOCK;
  length -= blocks * SHA256_BLOCK;
  if (length) memcpy(hash->block, at, length);
}

void sha256_final(struct sha256 *hash, uint8_t digest[SHA256_BYTES]) {
  uint64_t bits = hash->length * 8;
  size_t used = hash->length % SHA256_BLOCK;
  hash->block[used++] = 0x80;
  if (used > SHA256_BLOCK - 8) {
    memset(hash->block + used, 0, SHA256_BLOCK - used);
    compress_blocks(hash->state, hash->block, 1);
    used = 0;
  }
  memset(hash->block + used, 0, SHA256_BLOCK - 8 - used);
  for (int i = 0; i < 8; i++) hash->block[SHA256_BLOCK - 1 - i] = (uint8_t)(bits >> (8 * i));
  compress_blocks(hash->state, hash->block, 1);
  for (int i = 0; i < SHA256_BYTES; i++) {
    digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
  }
}
