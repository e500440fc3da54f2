// Compiles the templates of 8-bit codes for one instruction set. Define ISA, LANES (dwords of a vector) and CODE_ROWS
// (pixels of the register tile), and one of these: CODES_DPBUSD(sum, a, b) where the set multiplies bytes;
// CODES_MADD(a, b), the sums of two products of 16 bits each, where it has an instruction for them;
// CODES_SIGNED_DOT(sum, a, b) and CODE_RUN where it multiplies signed bytes only. Also define what
// templates/matrix_sums.h asks for where an instruction multiplies matrices. instantiate_code_tiles.h adds the convolution by
// tiles; without vectors beside it CODE_ROWS is not defined. Beside CODES_MADD define CODE_WINOGRAD, where fewer products are worth the
// transforms, and CODES_AVX2, where the results may take instructions of AVX2.
#include "CDepthSIMD.h"

#include <string.h>

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)
#define INLINE static inline __attribute__((always_inline))

/// LANES floats, and the same bits as integers of 32 and pairs of 16 bits; LANES bytes, and as many as fit in a vector.
typedef float V __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int32_t VI __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint32_t VU __attribute__((vector_size(LANES * 4), aligned(4)));
typedef int16_t VS __attribute__((vector_size(LANES * 4), aligned(4)));
typedef uint8_t VB __attribute__((vector_size(LANES), aligned(1)));
typedef uint8_t VC __attribute__((vector_size(LANES * 4), aligned(1)));

#pragma STDC FP_CONTRACT OFF

#include "templates/vector.h"

#include "templates/codes/quantize.h"
#include "templates/codes/quantize_keys.h"
#include "templates/codes/quantize_tokens.h"

#include "templates/codes/code_results.h"

#include "templates/codes/code_dot.h"

#include "templates/codes/code_depthwise.h"

#include "templates/codes/code_max_pool.h"

#if defined(MATRIX_DOT)
#include "templates/matrix_sums.h"
#endif

#if defined(CODE_ROWS)
#include "templates/codes/code_convolution.h"

#if defined(CODE_WINOGRAD)
#include "templates/codes/code_winograd_input.h"

#include "templates/codes/code_winograd.h"
#endif

const ck_code_kernels CONCATENATE(ck_code_kernels, ISA) = {
    .panel_width = 2 * LANES,
    .convolution = NAME(code_convolution),
#if defined(CODE_WINOGRAD)
    .winograd_input = NAME(code_winograd_input),
    .winograd = NAME(code_winograd),
#endif
    .depthwise = NAME(code_depthwise),
    .max_pool = NAME(code_max_pool),
    .quantize = NAME(quantize),
    .quantize_tokens = NAME(quantize_tokens),
    .quantize_keys = NAME(quantize_keys),
};
#endif
