#ifndef CK_INT8_H
#define CK_INT8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Requantization, the epilogue of a convolution of 8-bit quantized values: from the accumulator `a` of one pixel and column c to the
/// result
///
///     y = a · multiplier[c] + offset[c] + residual[pixel][c] · residual_scale + added[pixel][c]
///
/// with every operation rounded by itself. Quantized results are y bounded to lower_bound[c] … 255, and to `upper_bound`, and rounded to
/// the nearest integer, ties to even; float results are y bounded by both. Where `quantization_factor` is positive, results are first
/// floats and then quantized as by `quantize`: y bounded by both, · quantization_factor + quantization_offset, bounded to 0 … 255 and rounded.
typedef struct {
  /// One value per column each.
  const float *_Nonnull multiplier, *_Nonnull offset, *_Nonnull lower_bound;
  /// A map of quantized values that is added, laid out like the result with strides of its own; NULL adds nothing. The offset
  /// accounts for its zero point.
  const uint8_t *_Nullable residual;
  size_t residual_pixel_stride, residual_line_stride;
  float residual_scale;
  /// A map of floats that is added to float results, laid out like the result; NULL adds nothing.
  const float *_Nullable added;
  size_t added_pixel_stride, added_line_stride;
  /// The upper bound of all columns; 0 bounds nothing.
  float upper_bound;
  float quantization_factor, quantization_offset;
  /// Whether all of lower_bound is 0, which quantized values are bounded to anyway.
  bool lower_is_zero;
} ck_int8_epilogue;

/// The epilogue of a convolution of tokens, each of which has a scale of its own, in place of all of the above but the multiplier and the
/// offset, for the accumulator `a` of one pixel and column c:
///
///     y = a · multiplier[c] · scales[pixel] + offset[c] + added[pixel][c]
///
/// with every operation rounded by itself, as floats that nothing bounds.
typedef struct {
  bool applies;
  /// One factor per pixel of the only line; NULL for y = a · multiplier[c].
  const float *_Nullable scales;
  /// Floats that are added, `added_stride` from pixel to pixel; NULL adds nothing.
  const float *_Nullable added;
  size_t added_stride;
} ck_token_epilogue;

/// A direct convolution of unsigned 8-bit quantized values with signed 8-bit weights for `lines` lines of `pixels` outputs, and
/// `columns` output channels. Sums are exact: 32 bits hold 65 000 products.
///
/// An output reads `segments` runs of 4·quads quantized values, at `offsets` from its own place in the map; the map has a border,
/// so that no run needs a check.
typedef struct {
  size_t lines, pixels, columns, segments, quads;
  /// Quantized values of line 0, pixel 0; strides in bytes.
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  const ptrdiff_t *_Nonnull offsets;
  /// ceil(columns / panel_width) panels of segments·quads × panel_width × 4 weights: the four bytes of a lane belong to
  /// one column and four consecutive quantized values.
  const int8_t *_Nonnull weights;
  /// The initial value of each column's accumulator: it removes the zero point of the map.
  const int32_t *_Nonnull initial;
  /// The result of line 0, pixel 0, column 0: quantized values, or floats where `writes_floats`; strides in elements.
  void *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
  bool writes_floats;
  ck_int8_epilogue epilogue;
  ck_token_epilogue tokens;
} ck_int8_convolution;

/// A convolution of 3×3 weights or fewer, one pixel apart, by Winograd's F(4 × 4, 3 × 3): its sums are those of the direct one. Tiles of
/// 4 × 4 results are counted line by line.
typedef struct {
  /// As in a convolution, for the columns of one panel; `lines` and `pixels` are those of the map, which has a border of one pixel and
  /// 4·quads quantized values per pixel. `segments` and `offsets` are not used.
  ck_int8_convolution call;
  /// Rows and columns of the kernel, and where it lies in one of 3×3.
  size_t kernel_height, kernel_width, first_row, first_column;
  /// Tiles first ..< last are computed.
  size_t first, last;
  /// 36 × all tiles × 4·quads transformed quantized values.
  int16_t *_Nonnull transformed;
  /// From position to position of `transformed`, at least all tiles × 4·quads.
  size_t position_stride;
  /// Scratch of one panel's transformed weights: 36 × 4·quads × panel_width.
  int16_t *_Nonnull weights;
} ck_int8_winograd;

/// A convolution of each channel of a map of quantized values with a kernel of its own of 3×3 or 5×5 weights. Sums are exact.
typedef struct {
  /// Maps, channels (`columns`), what sums begin with and the epilogue, as in a convolution. An output reads `segments` rows of
  /// as many quantized values, one per pixel, from `offsets` on. `quads` is not used.
  ///
  /// Weights are rows × parts × `weight_stride` dwords. The first part's four bytes are the weights of the last four columns
  /// of the kernel, those of 3×3 after a 0; for 5×5 the second part has the weight of the first column in byte `stride` − 1,
  /// and 0 elsewhere.
  ck_int8_convolution call;
  /// Pixels from one output to the next, 1 or 2: `call.x_pixel_stride` is that of the map, not of outputs.
  size_t stride;
  /// Dwords from part to part, at least `columns`.
  size_t weight_stride;
} ck_int8_depthwise;

/// The maximum of 3×3 windows at every other pixel of a map of quantized values, cropped to the map, for lines `first` ..< `last` of the
/// result. Strides in bytes.
typedef struct {
  size_t height, width, channels;
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  /// Pixels that the first window begins before the map: 0 or 1.
  size_t top, left;
  size_t out_width, first, last;
  uint8_t *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
} ck_int8_max_pool;

/// `rows` keys of `columns` floats, a multiple of 16: less their mean, as quantized values of −127 … 127 with a scale per key.
typedef struct {
  size_t rows, columns;
  const float *_Nonnull x;
  size_t stride;
  /// Gets the mean of the keys, `columns` floats.
  float *_Nonnull mean;
  /// Gets the quantized values of all keys without gaps.
  int8_t *_Nonnull quantized;
  /// Get one value per key: its scale, and the initial value of its accumulator with unsigned values around 128, −128 · Σ quantized.
  float *_Nonnull scales;
  int32_t *_Nonnull initial;
} ck_quantized_keys;

/// Kernels of maps of 8-bit quantized values. All instruction sets give the same bits.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  void (*_Nonnull convolution)(const ck_int8_convolution *_Nonnull p);

  /// Transforms the quantized values of some tiles, and convolves them; NULL where the set multiplies bytes, and the direct convolution is faster.
  void (*_Nullable winograd_input)(const ck_int8_winograd *_Nonnull p);
  void (*_Nullable winograd)(const ck_int8_winograd *_Nonnull p);

  void (*_Nonnull depthwise)(const ck_int8_depthwise *_Nonnull p);

  void (*_Nonnull max_pool)(const ck_int8_max_pool *_Nonnull p);

  /// quantized values[i] = x[i] · reciprocal_scale + zero_point, bounded to 0 … 255 and rounded, ties to even.
  void (*_Nonnull quantize)(size_t count, const float *_Nonnull x, float reciprocal_scale,
                            float zero_point, uint8_t *_Nonnull quantized);

  /// Rows of floats as quantized values around 128, each with a scale of its own, which is its largest magnitude / 127. Strides in elements.
  void (*_Nonnull quantize_tokens)(size_t rows, size_t columns, const float *_Nonnull x,
                                   size_t stride, uint8_t *_Nonnull quantized, size_t quantized_stride,
                                   float *_Nonnull scales);

  /// The largest magnitude of `count` floats; 0 for none.
  float (*_Nonnull largest)(size_t count, const float *_Nonnull x);

  /// The keys of one head of attention as signed values.
  void (*_Nonnull quantize_keys)(const ck_quantized_keys *_Nonnull p);
} ck_int8_kernels;

/// Weights of some output channels, to be packed as one panel.
typedef struct {
  /// `columns` output channels of `channels` × `taps` weights.
  const int8_t *_Nonnull quantized;
  size_t columns, channels, taps;
  /// Columns of a panel, a multiple of 4.
  size_t width;
  /// Gets taps × ceil(channels / 4) × width × 4 bytes, with zeros for the channels and columns that there are not.
  int8_t *_Nonnull packed;
  /// Gets the sum of the weights of each of `columns`.
  int32_t *_Nonnull sums;
} ck_int8_panel;

/// Writes weights in the order in which the convolution reads them. One implementation: it moves bytes, 16 at a time.
void ck_pack_int8(const ck_int8_panel *_Nonnull panel);

/// Instruction sets of the kernels of quantized values, slowest first per architecture.
typedef enum {
  ck_int8_baseline = 0,
  /// VPMADDWD on quantized values widened to 16 bits.
  ck_int8_avx2 = 1,
  /// VPDPBUSD on 256 bits.
  ck_int8_avxvnni = 2,
  /// VPDPBUSD on 512 bits.
  ck_int8_avx512vnni = 3,
  /// TDPBUSD on tiles of 16 pixels × 64 quantized values: AMX-INT8, beside AVX-512 VNNI.
  ck_int8_amx = 4,
  /// SMULL on signed bytes: every processor of arm64.
  ck_int8_neon = 5,
  /// SDOT: FEAT_DotProd.
  ck_int8_dotprod = 6,
  /// USMMLA, and USDOT for depthwise convolutions: FEAT_I8MM.
  ck_int8_i8mm = 7,
} ck_int8_isa;

/// Whether this processor (and operating system) can run `isa`. For `ck_int8_amx` the first call asks Linux for this
/// process's permission to use tiles, which threads and forked processes share.
bool ck_int8_is_supported(ck_int8_isa isa);
/// The kernels of one instruction set, which must be supported.
const ck_int8_kernels *_Nonnull ck_int8_kernels_for(ck_int8_isa isa);
#endif
