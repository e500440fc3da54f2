#ifndef CK_BFLOAT16_H
#define CK_BFLOAT16_H
#include "ck_network.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A direct convolution of maps and weights that are rounded to bfloat16, for `lines` lines of `pixels` outputs, and `columns`
/// output channels. Products are exact, and sums are 32-bit floats:
///
///     y = min(max(Σ x · w + bias[c] + residual[pixel][c], lower_bound[c]), upper_bound)
///
/// An output reads `segments` runs of 2·pairs values, at `offsets` from its own place in the map; the map has a border where
/// runs leave it, so that no run needs a check. The order of an output's sum depends on the runs alone, so that neither
/// blocking nor threads change a bit; it differs between instruction sets with and without tiles.
typedef struct {
  size_t lines, pixels, columns, segments, pairs;
  /// Values of line 0, pixel 0; strides in bytes.
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  /// Offsets in bytes.
  const ptrdiff_t *_Nonnull offsets;
  /// ceil(columns / panel_width) panels of segments·pairs × panel_width × 2 weights: the two halves of a lane belong to one
  /// column and two consecutive values.
  const uint16_t *_Nonnull weights;
  /// The result of line 0, pixel 0, column 0; strides in floats.
  float *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
  /// Its pointers are those of line 0, pixel 0 and column 0; `residual_stride` is from pixel to pixel.
  ck_epilogue epilogue;
  size_t residual_line_stride;
} ck_bfloat16_convolution;

/// Kernels of maps in bfloat16.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  void (*_Nonnull convolution)(const ck_bfloat16_convolution *_Nonnull p);

  /// The nearest bfloat16 of each value, ties to even; denormals become zeros of their sign, as in VCVTNEPS2BF16. All sets
  /// give the same bits.
  void (*_Nonnull round)(size_t count, const float *_Nonnull x, uint16_t *_Nonnull y);

  /// Rounds `rows` rows of floats, and packs them as `pairs` pairs of rows, of which the last ones may be zeros: columns /
  /// panel_width panels of pairs × panel_width × 2, as the weights of a convolution. `columns` is a multiple of panel_width.
  void (*_Nonnull pack_pairs)(size_t rows, size_t pairs, size_t columns, const float *_Nonnull x,
                              size_t stride, uint16_t *_Nonnull panels);

  /// One block of scores of a softmax over several; the shares are rounded like `round`, sums are not. Scores stay as they are.
  void (*_Nonnull running_softmax)(const ck_softmax *_Nonnull p);
} ck_bfloat16_kernels;

/// Instruction sets of the kernels of bfloat16.
typedef enum {
  /// VDPBF16PS on 512 bits: AVX512-BF16.
  ck_bfloat16_avx512 = 0,
  /// TDPBF16PS on tiles of 16 pixels × 32 values: AMX-BF16, beside AVX512-BF16.
  ck_bfloat16_amx = 1,
  /// BFMMLA: FEAT_BF16 of arm64. It adds and rounds in an order of its own: sums of pairs of products round to odd.
  ck_bfloat16_neon = 2,
} ck_bfloat16_isa;

/// Whether this processor (and operating system) can run `isa`. For `ck_bfloat16_amx` the first call asks Linux for this
/// process's permission to use tiles, which threads and forked processes share.
bool ck_bfloat16_is_supported(ck_bfloat16_isa isa);
/// The kernels of one instruction set of this architecture; NULL for those of others.
const ck_bfloat16_kernels *_Nullable ck_bfloat16_kernels_for(ck_bfloat16_isa isa);
#endif
