// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

#include "sha256-blocks.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

bool sha256_blocks_x86_usable(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// The instructions want the state as two vectors, ABEF and CDGH, and do two rounds each.
__attribute__((target("sha,sse4.1,ssse3"))) void sha256_blocks_x86(uint32_t state[8],
                                                                   const uint8_t *data,
                                                                   size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *words = (__m128i *)state;
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

  for (; blocks > 0; blocks--, data += 64) {
    __m128i w[4], before_abef = abef, before_cdgh = cdgh;
    for (int i = 0; i < 4; i++) {
      w[i] = _mm_loadu_si128((const __m128i *)data + i);
      w[i] = _mm_shuffle_epi8(w[i], big_endian);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
      const __m128i *constants = (const __m128i *)sha256_round_constants + i;
      __m128i sum = _mm_add_epi32(w[i % 4], _mm_loadu_si128(constants));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      if (i >= 12) continue;
      // The four words that take the place of w[i % 4], for four groups from here.
      __m128i next = _mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]);
      next = _mm_add_epi32(next, _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
      w[i % 4] = _mm_sha256msg2_epu32(next, w[(i + 3) % 4]);
    }
    abef = _mm_add_epi32(abef, before_abef);
    cdgh = _mm_add_epi32(cdgh, before_cdgh);
  }

  __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#endif
