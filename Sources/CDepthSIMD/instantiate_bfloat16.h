// Compiles the templates of bfloat16 for one instruction set. Define ISA, LANES (floats of a vector), and
// BFLOAT16_ROUND(x) where an instruction rounds. A set of vectors also defines BFLOAT16_ROWS (pixels of the register
// tile), and BFLOAT16_DOT(sum, a, b) where an instruction multiplies pairs, or what templates/matrix_sums.h asks for where
// one multiplies matrices. A set with tiles includes amx_tiles.h, or a model of it, before.
#include "CDepthSIMD.h"

#include <string.h>

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)
#define INLINE static inline __attribute__((always_inline))

/// LANES floats, and the same bits as integers; LANES values of 16 bits.
typedef float V __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int32_t VI __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint32_t VU __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint16_t VH __attribute__((vector_size(LANES * 2), aligned(2)));

#pragma STDC FP_CONTRACT OFF

#include "templates/vector.h"

// Columns of a panel.
#if defined(TILE_STATE)
#define PANEL_WIDTH 32
#else
#define PANEL_WIDTH (2 * LANES)
#endif

#include "templates/bfloat16/round.h"
#include "templates/bfloat16/pack_pairs.h"
#define SHARES
#include "templates/running_softmax.h"

#include "templates/bfloat16/results.h"

#if defined(TILE_STATE)
#define TILE_CALL ck_bfloat16_convolution
#define TILE_DWORDS pairs
#define TILE_SUM float
#define TILE_DOT TILE_DOT_BFLOAT16
#include "templates/tile_convolution.h"
#else
#if defined(MATRIX_DOT)
#include "templates/matrix_sums.h"
#else
#include "templates/bfloat16/dot.h"
#endif

#include "templates/bfloat16/bfloat16_convolution.h"
#endif

const ck_bfloat16_kernels CONCATENATE(ck_bfloat16_kernels, ISA) = {
    .panel_width = PANEL_WIDTH,
#if defined(TILE_STATE)
    .convolution = NAME(tile_convolution),
#else
    .convolution = NAME(bfloat16_convolution),
#endif
    .round = NAME(round_bfloat16),
    .pack_pairs = NAME(pack_pairs),
    .running_softmax = NAME(running_softmax),
};
