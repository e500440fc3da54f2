// Compiles every template for one instruction set. First define ISA, LANES (floats of a vector), GEMM_ROWS (rows of
// the product's register tile) and, for sets with fused multiply-add, HAS_FMA.
#include "CDepthSIMD.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)
#define INLINE static inline __attribute__((always_inline))

/// LANES floats; loads and stores need no alignment.
typedef float V __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/// Four floats of a pixel: red, green, blue and one additional float. Kernels on whole pixels add in the same order
/// on all sets.
typedef float V4 __attribute__((vector_size(4 * sizeof(float)), aligned(4)));
typedef int32_t VI4 __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4)));

/// LANES integers, for the bits of V.
typedef int32_t VI __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4)));

// Elementwise kernels have identical results on all instruction sets. Products use FMA explicitly.
#pragma STDC FP_CONTRACT OFF

#include "templates/vector.h"

#include "templates/network/epilogue.h"
#include "templates/network/depthwise.h"
#include "templates/network/exponential.h"
#include "templates/network/gelu.h"
#include "templates/network/layer_norm.h"
#include "templates/network/max_pool.h"
#include "templates/network/gemm.h"
#include "templates/network/pack_panel.h"
#include "templates/network/resize_row.h"
#include "templates/network/running_softmax.h"
#include "templates/network/sum_taps.h"
#include "templates/network/winograd_kernel.h"
#define TILE 2
#include "templates/network/winograd_transforms_2.h"
#include "templates/network/winograd_input.h"
#include "templates/network/winograd_output.h"
#undef TILE
#define TILE 4
#include "templates/network/winograd_transforms_4.h"
#include "templates/network/winograd_input.h"
#include "templates/network/winograd_output.h"
#undef TILE

#include "templates/pictures/resample.h"
#include "templates/pictures/photo_rows.h"
#include "templates/pictures/pixel_rows.h"
#include "templates/pictures/light.h"
#include "templates/pictures/levels.h"
#include "templates/pictures/value_range.h"

#include "templates/metrics/depth_errors.h"
#include "templates/metrics/double_rows.h"
#include "templates/metrics/edges.h"

#include "templates/refinement/exp2.h"
#include "templates/refinement/quotient.h"
#include "templates/refinement/joint_bilateral.h"
#include "templates/refinement/joint_upsample.h"
#include "templates/refinement/weighted_sum.h"
#include "templates/refinement/slope_weights.h"

#include "templates/views/warp.h"
#include "templates/views/hole_history.h"
#include "templates/views/smooth_hole.h"
#include "templates/views/stretch_line.h"

#include "templates/effects/defocus.h"
#include "templates/effects/lens_scatter.h"
#include "templates/effects/lens_layers.h"

#include "templates/png/png_filter.h"
#include "templates/png/png_samples.h"

#include "templates/planes/to_rgb.h"
#include "templates/planes/from_rgb.h"

const ck_kernels CONCATENATE(ck_kernels, ISA) = {
    .network =
        {
            .panel_width = 2 * LANES,
            .gemm = NAME(gemm),
            .epilogue = NAME(epilogue),
            .pack_panel = NAME(pack_panel),
            .winograd_input = {NAME(winograd_input_2), NAME(winograd_input_4)},
            .up_convolution_input = {NAME(up_convolution_input_2), NAME(up_convolution_input_4)},
            .winograd_output = {NAME(winograd_output_2), NAME(winograd_output_4)},
            .up_convolution_output = {NAME(up_convolution_output_2), NAME(up_convolution_output_4)},
            .winograd_kernel = NAME(winograd_kernel),
            .max_pool = NAME(max_pool),
            .sum_taps = NAME(sum_taps),
            .depthwise = NAME(depthwise),
            .exponential = NAME(exponential),
            .sigmoid = NAME(sigmoid),
            .gelu = NAME(gelu),
            .layer_norm = NAME(layer_norm),
            .running_softmax = NAME(running_softmax),
            .resize_row = NAME(resize_row),
        },
    .pictures =
        {
            .resample_rgb = NAME(resample_rgb),
            .resample_rows = NAME(resample_rows),
            .weighted_bytes = NAME(weighted_bytes),
            .average_row = NAME(average_row),
            .bicubic_row = NAME(bicubic_row),
            .add_area = NAME(add_area),
            .code_light = NAME(code_light),
            .mix_row = NAME(mix_row),
            .blend_rows = NAME(blend_rows),
            .value_range = NAME(value_range),
            .levels = NAME(levels),
            .color_levels = NAME(color_levels),
        },
    .refinement =
        {
            .planar = NAME(planar),
            .joint_bilateral = NAME(joint_bilateral),
            .joint_upsample = NAME(joint_upsample),
            .edge_cells = NAME(edge_cells),
            .weighted_sum = NAME(weighted_sum),
            .slope_weights = NAME(slope_weights),
        },
    .views =
        {
            .parallax_line = NAME(parallax_line),
            .stretch_line = NAME(stretch_line),
            .line_maximum = NAME(line_maximum),
            .widen_line = NAME(widen_line),
            .eye_line = NAME(eye_line),
            .warp_line = NAME(warp_line),
            .mirror_source = NAME(mirror_source),
            .hole_line = NAME(hole_line),
            .sample_line = NAME(sample_line),
            .level_line = NAME(level_line),
            .widen_bytes = NAME(widen_bytes),
            .smooth_hole = NAME(smooth_hole),
            .hole_history = NAME(hole_history),
        },
    .effects =
        {
            .defocus_levels = NAME(defocus_levels),
            .beside_farther = NAME(beside_farther),
            .lens_light = NAME(lens_light),
            .lens_runs = NAME(lens_runs),
            .scatter_runs = NAME(scatter_runs),
            .scatter_points = NAME(scatter_points),
            .resolve_layers = NAME(resolve_layers),
        },
    .metrics =
        {
            .depth_errors = NAME(depth_errors),
            .edge_candidates = NAME(edge_candidates),
            .round_row = NAME(round_row),
        },
    .png =
        {
            .png_filter = NAME(png_filter),
            .png_filter16 = NAME(png_filter16),
            .png_samples16 = NAME(png_samples16),
        },
    .planes =
        {
            .chroma_between = NAME(chroma_between),
            .chroma_across = NAME(chroma_across),
            .rgb_row = NAME(rgb_row),
            .luma_row = NAME(luma_row),
            .color_sums = NAME(color_sums),
            .chroma_row = NAME(chroma_row),
        },
};
