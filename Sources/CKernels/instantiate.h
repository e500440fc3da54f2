// Compiles every template for one instruction set. Define ISA, LANES (floats of a vector),
// PRODUCT_ROWS (rows of the product's register tile) and, where the set has fused multiply-add,
// HAS_FMA first.
#include "CKernels.h"

#include <math.h>
#include <string.h>

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)
#define INLINE static inline __attribute__((always_inline))

/// LANES floats; loads and stores need no alignment.
typedef float V __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/// LANES integers, for the bits of V.
typedef int32_t VI __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4)));

// Elementwise kernels agree to the bit on all instruction sets; products use FMA explicitly.
#pragma STDC FP_CONTRACT OFF

#include "templates/vector.h"

#include "templates/depth_errors.h"
#include "templates/double_rows.h"
#include "templates/edges.h"
#include "templates/epilogue.h"
#include "templates/max_pool.h"
#include "templates/product.h"
#include "templates/sum_taps.h"
#include "templates/winograd_kernel.h"

#define TILE 2
#include "templates/winograd_transforms_2.h"
#include "templates/winograd_input.h"
#include "templates/winograd_output.h"
#undef TILE
#define TILE 4
#include "templates/winograd_transforms_4.h"
#include "templates/winograd_input.h"
#include "templates/winograd_output.h"
#undef TILE
#include "templates/resample.h"
#include "templates/exp2.h"
#include "templates/quotient.h"
#include "templates/joint_bilateral.h"
#include "templates/joint_upsample.h"
#include "templates/photo_rows.h"
#include "templates/weighted_sum.h"
#include "templates/warp.h"
#include "templates/png_filter.h"
#include "templates/png_unfilter.h"

const ck_kernels CONCATENATE(ck_kernels, ISA) = {
    .panel_width = 2 * LANES,
    .product = NAME(product),
    .epilogue = NAME(epilogue),
    .pack_panel = NAME(pack_panel),
    .winograd_input = {NAME(winograd_input_2), NAME(winograd_input_4)},
    .quartet_input = {NAME(quartet_input_2), NAME(quartet_input_4)},
    .winograd_output = {NAME(winograd_output_2), NAME(winograd_output_4)},
    .quartet_output = {NAME(quartet_output_2), NAME(quartet_output_4)},
    .winograd_kernel = NAME(winograd_kernel),
    .max_pool = NAME(max_pool),
    .sum_taps = NAME(sum_taps),
    .resample_rgb = NAME(resample_rgb),
    .resample_rows = NAME(resample_rows),
    .depth_errors = NAME(depth_errors),
    .edge_candidates = NAME(edge_candidates),
    .blend_rows = NAME(blend_rows),
    .round_row = NAME(round_row),
    .joint_bilateral = NAME(joint_bilateral),
    .joint_upsample = NAME(joint_upsample),
    .edge_cells = NAME(edge_cells),
    .planar = NAME(planar),
    .weighted_bytes = NAME(weighted_bytes),
    .weighted_sum = NAME(weighted_sum),
    .value_range = NAME(value_range),
    .parallax_line = NAME(parallax_line),
    .line_maximum = NAME(line_maximum),
    .widen_line = NAME(widen_line),
    .eye_line = NAME(eye_line),
    .warp_line = NAME(warp_line),
    .mirror_source = NAME(mirror_source),
    .hole_line = NAME(hole_line),
    .sample_line = NAME(sample_line),
    .png_filter = NAME(png_filter),
    .png_unfilter16 = NAME(png_unfilter16),
};
