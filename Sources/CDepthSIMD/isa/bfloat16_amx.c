#if defined(__x86_64__)
#include "../amx_tiles.h"
#pragma clang attribute push(__attribute__((target("amx-tile,amx-bf16,avx512bf16,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA amx
#define LANES 16
#define HAS_FMA 1
#define BFLOAT16_ROUND(x) (VH) _mm512_cvtneps_pbh((__m512)(x))
#include "../instantiate_bfloat16.h"
#pragma clang attribute pop
#endif
