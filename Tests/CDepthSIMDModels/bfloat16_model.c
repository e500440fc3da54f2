// The convolution by vectors with VDPBF16PS in plain C, for every processor of every architecture.
#include "bfloat16_arithmetic.h"
#define ISA model
#define LANES 4
#define BFLOAT16_ROWS 6
#define BFLOAT16_DOT(sum, a, b) vdpbf16ps(sum, a, b)

typedef float lanes __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int32_t dwords __attribute__((vector_size(LANES * 4), aligned(4)));

/// VDPBF16PS: adds to each lane its two products, that of the higher halves first.
static inline lanes vdpbf16ps(lanes sum, dwords a, dwords b) {
  for (int lane = 0; lane < LANES; lane++) {
    const uint32_t first = (uint32_t)a[lane], second = (uint32_t)b[lane];
    const float odd =
        ck_bfloat16_fma((uint16_t)(first >> 16), (uint16_t)(second >> 16), sum[lane]);
    sum[lane] = ck_bfloat16_fma((uint16_t)first, (uint16_t)second, odd);
  }
  return sum;
}

#include "../../Sources/CDepthSIMD/instantiate_bfloat16.h"
