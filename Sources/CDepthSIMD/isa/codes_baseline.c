// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64.
#define ISA baseline
#define LANES 4
#define CODE_ROWS 6
#if defined(__x86_64__)
#include <immintrin.h>
#define CODES_MADD(a, b) (VI) _mm_madd_epi16((__m128i)(a), (__m128i)(b))
#else
#define CODES_MADD(a, b)                                            \
  ((((VI)(a) << 16) >> 16) * (((VI)(b) << 16) >> 16) + ((VI)(a) >> 16) * ((VI)(b) >> 16))
#endif
#include "../instantiate_codes.h"
