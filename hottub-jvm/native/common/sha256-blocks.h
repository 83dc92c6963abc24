// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#ifndef HOTTUB_SHA256_BLOCKS_H_
#define HOTTUB_SHA256_BLOCKS_H_

// The compression function of SHA-256 over whole blocks: in C, and with the SHA instructions of
// x86-64. A first launch reads hundreds of megabytes of jars, which the instructions make several
// times faster.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const uint32_t sha256_round_constants[64];

void sha256_blocks_portable(uint32_t state[8], const uint8_t *data, size_t blocks);

#if defined(__x86_64__)
bool sha256_blocks_x86_usable(void);
void sha256_blocks_x86(uint32_t state[8], const uint8_t *data, size_t blocks);
#endif

#endif  // HOTTUB_SHA256_BLOCKS_H_
