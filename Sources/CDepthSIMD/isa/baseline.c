// The instruction set of every processor: SSE2 on x86-64, NEON on arm64.
#define ISA baseline
#define LANES 4
#define GEMM_ROWS 6
#if defined(__aarch64__)
#define HAS_FMA 1
#endif
#include "../instantiate.h"
