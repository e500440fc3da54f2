// SHA-256 (FIPS 180-4) in plain C, and by processor instructions where available.
#include "CDepthSIMD.h"
#include "arm_features.h"
#include "cpuid.h"

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void plain_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
      w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
             (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
    for (int i = 16; i < 64; i++) {
      const uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] +
             (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
      const uint32_t t1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                          ((e & f) ^ (~e & g)) + K[i] + w[i];
      const uint32_t t2 =
          (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("sha,sse4.1"))) static void fast_blocks(uint32_t state[8],
                                                              const uint8_t *bytes, size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  // The instructions expect the state as ABEF and CDGH.
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; count > 0; count--, bytes += 64) {
    const __m128i abef0 = abef, cdgh0 = cdgh;
    __m128i w[4];
    for (int g = 0; g < 16; g++) {
      if (g < 4) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + 16 * g));
        w[g] = _mm_shuffle_epi8(block, swap);
      } else {
        const __m128i old = _mm_sha256msg1_epu32(w[g % 4], w[(g + 1) % 4]);
        const __m128i seven = _mm_alignr_epi8(w[(g + 3) % 4], w[(g + 2) % 4], 4);
        w[g % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(old, seven), w[(g + 3) % 4]);
      }
      const __m128i k = _mm_loadu_si128((const __m128i *)(K + 4 * g));
      const __m128i wk = _mm_add_epi32(w[g % 4], k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef0);
    cdgh = _mm_add_epi32(cdgh, cdgh0);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool ck_has_sha256(void) { return (ck_cpuid(7, 0).b >> 29 & 1) && __builtin_cpu_supports("sse4.1"); }
#elif defined(__aarch64__)
#include <arm_neon.h>

__attribute__((target("sha2"))) static void fast_blocks(uint32_t state[8], const uint8_t *bytes,
                                                        size_t count) {
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; count > 0; count--, bytes += 64) {
    const uint32x4_t abcd0 = abcd, efgh0 = efgh;
    uint32x4_t w[4];
    for (int g = 0; g < 16; g++) {
      if (g < 4)
        w[g] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * g)));
      else
        w[g % 4] = vsha256su1q_u32(vsha256su0q_u32(w[g % 4], w[(g + 1) % 4]), w[(g + 2) % 4],
                                   w[(g + 3) % 4]);
      const uint32x4_t wk = vaddq_u32(w[g % 4], vld1q_u32(K + 4 * g)), before = abcd;
      abcd = vsha256hq_u32(abcd, efgh, wk);
      efgh = vsha256h2q_u32(efgh, before, wk);
    }
    abcd = vaddq_u32(abcd, abcd0);
    efgh = vaddq_u32(efgh, efgh0);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

bool ck_has_sha256(void) { return ck_arm_features() & ck_arm_sha256; }
#else
static void fast_blocks(uint32_t state[8], const uint8_t *bytes, size_t count) {
  plain_blocks(state, bytes, count);
}

bool ck_has_sha256(void) { return false; }
#endif

void ck_sha256_blocks(uint32_t state[8], const uint8_t *bytes, size_t count, bool fast) {
  (fast ? fast_blocks : plain_blocks)(state, bytes, count);
}
