// The instruction set of every processor: SSE2 on x86-64, NEON on arm64.
#define ISA baseline
#define LANES 4
#define INT8_ROWS 6
#if defined(__x86_64__)
#include <immintrin.h>
#define INT8_WINOGRAD
#define INT8_MADD(a, b) (VI) _mm_madd_epi16((__m128i)(a), (__m128i)(b))
#endif
#include "../instantiate_int8.h"
