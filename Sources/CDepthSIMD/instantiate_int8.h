// Compiles the 8-bit templates for one instruction set. Define ISA, LANES (dwords of a vector) and INT8_ROWS (pixels of the
// register tile; omitted with tiles alone). Define one of these:
// - INT8_DPBUSD(sum, a, b) for products of unsigned and signed bytes;
// - INT8_MADD(a, b), the sums of two 16-bit products each, if there is an instruction;
// - INT8_SIGNED_DOT(sum, a, b) and INT8_RUN for products of signed bytes only. For matrix products, also define the macros of
// templates/int8/matrix_sums.h. With INT8_MADD, define INT8_WINOGRAD if the transforms cost less than the saved products, and
// INT8_AVX2 if results may use AVX2. instantiate_int8_tiles.h adds the convolution by tiles.
#include "CDepthSIMD.h"

#include <string.h>

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)
#define INLINE static inline __attribute__((always_inline))

/// Vectors of LANES floats, of the same bits as 32-bit integers and as pairs of 16-bit integers, of LANES bytes, and of all
/// bytes that fit in a vector.
typedef float V __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int32_t VI __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint32_t VU __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int16_t VS __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint8_t VB __attribute__((vector_size(LANES), aligned(1)));
typedef uint8_t VC __attribute__((vector_size(LANES * 4), aligned(1)));

#pragma STDC FP_CONTRACT OFF

#include "templates/vector.h"

#include "templates/int8/quantize.h"
#include "templates/int8/quantize_keys.h"
#include "templates/int8/quantize_tokens.h"

#include "templates/int8/int8_results.h"

#include "templates/int8/int8_dot.h"

#include "templates/int8/int8_depthwise.h"

#include "templates/int8/int8_max_pool.h"

#if defined(MATRIX_DOT)
#include "templates/int8/matrix_sums.h"
#endif

#if defined(INT8_ROWS)
#include "templates/int8/int8_convolution.h"

#if defined(INT8_WINOGRAD)
#include "templates/int8/int8_winograd_input.h"

#include "templates/int8/int8_winograd.h"
#endif

const ck_int8_kernels CONCATENATE(ck_int8_kernels, ISA) = {
    .panel_width = 2 * LANES,
    .convolution = NAME(int8_convolution),
#if defined(INT8_WINOGRAD)
    .winograd_input = NAME(int8_winograd_input),
    .winograd = NAME(int8_winograd),
#endif
    .depthwise = NAME(int8_depthwise),
    .max_pool = NAME(int8_max_pool),
    .quantize = NAME(quantize),
    .quantize_tokens = NAME(quantize_tokens),
    .largest = NAME(largest_magnitude),
    .quantize_keys = NAME(quantize_keys),
};
#endif
