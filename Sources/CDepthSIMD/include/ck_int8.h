#ifndef CK_INT8_H
#define CK_INT8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Requantization, the epilogue of an 8-bit convolution, for the accumulator `a` of one pixel and column c:
///
///     y = a · multiplier[c] + offset[c] + residual[pixel][c] · residual_scale + added[pixel][c]
///
/// Every operation is rounded separately. Float results are y bounded to lower_bound[c] and `upper_bound`. Quantized results
/// are y bounded to lower_bound[c] … 255 and `upper_bound`, and rounded to the nearest integer, ties to even. With a positive
/// `quantization_factor`, float results are quantized as by `quantize`: y · quantization_factor + quantization_offset, bounded
/// to 0 … 255 and rounded.
typedef struct {
  /// Each array has one value per column.
  const float *_Nonnull multiplier, *_Nonnull offset, *_Nonnull lower_bound;
  /// A map of quantized values to add, laid out like the result with its own strides; NULL adds nothing. The offset accounts
  /// for its zero point.
  const uint8_t *_Nullable residual;
  size_t residual_pixel_stride, residual_line_stride;
  float residual_scale;
  /// A map of floats to add to float results, laid out like the result; NULL adds nothing.
  const float *_Nullable added;
  size_t added_pixel_stride, added_line_stride;
  /// The upper bound of all columns; 0 for no bound.
  float upper_bound;
  float quantization_factor, quantization_offset;
  /// Whether all elements of lower_bound are 0, which is also the lower bound of quantized values.
  bool lower_is_zero;
} ck_int8_epilogue;

/// The epilogue of a convolution of tokens, with one scale per token. It replaces all fields above except the multiplier and
/// the offset. For the accumulator `a` of one pixel and column c:
///
///     y = a · multiplier[c] · scales[pixel] + offset[c] + added[pixel][c]
///
/// Every operation is rounded separately; results are unbounded floats.
typedef struct {
  bool applies;
  /// One factor per pixel of the only line; NULL for the result y = a · multiplier[c].
  const float *_Nullable scales;
  /// Floats to add, `added_stride` from pixel to pixel; NULL adds nothing.
  const float *_Nullable added;
  size_t added_stride;
} ck_token_epilogue;

/// A direct convolution of unsigned 8-bit quantized values with signed 8-bit weights, for `lines` lines of `pixels` outputs and
/// `columns` output channels. Sums are exact: 32 bits hold 65 000 products.
///
/// An output reads `segments` runs of 4·quads quantized values, at `offsets` from the output's position. The map's border makes
/// bounds checks unnecessary.
typedef struct {
  size_t lines, pixels, columns, segments, quads;
  /// The quantized values from line 0, pixel 0. Strides are in bytes.
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  const ptrdiff_t *_Nonnull offsets;
  /// ceil(columns / panel_width) panels of segments·quads × panel_width × 4 weights. The four bytes of a lane belong to one
  /// column and four consecutive quantized values.
  const int8_t *_Nonnull weights;
  /// The initial value of each column's accumulator, which compensates for the map's zero point.
  const int32_t *_Nonnull initial;
  /// The results from line 0, pixel 0, column 0: floats if `writes_floats`, otherwise quantized values. Strides are in
  /// elements.
  void *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
  bool writes_floats;
  ck_int8_epilogue epilogue;
  ck_token_epilogue tokens;
} ck_int8_convolution;

/// A convolution of at most 3×3 weights and stride 1 by Winograd's F(4 × 4, 3 × 3), with the same sums as the direct
/// convolution. Tiles of 4 × 4 results are counted line by line.
typedef struct {
  /// The convolution of one panel's columns. `lines` and `pixels` are the map's sizes. The map has a border of one pixel and
  /// 4·quads quantized values per pixel. `segments` and `offsets` are unused.
  ck_int8_convolution call;
  /// Rows and columns of the kernel, and its position in a 3×3 kernel.
  size_t kernel_height, kernel_width, first_row, first_column;
  /// The tiles to compute: first ..< last.
  size_t first, last;
  /// 36 × all tiles × 4·quads transformed quantized values.
  int16_t *_Nonnull transformed;
  /// The number of 16-bit values from position to position of `transformed`, at least all tiles × 4·quads.
  size_t position_stride;
  /// Scratch of one panel's transformed weights: 36 × 4·quads × panel_width.
  int16_t *_Nonnull weights;
} ck_int8_winograd;

/// A depthwise convolution of a map of quantized values with 3×3 or 5×5 weights per channel. Sums are exact.
typedef struct {
  /// Maps, channels (`columns`), initial accumulators and epilogue of the convolution. An output reads `segments` rows of
  /// `segments` quantized values, one per pixel, at `offsets`. `quads` is unused.
  ///
  /// Weights are rows × parts × `weight_stride` dwords. The four bytes of the first part are the weights of the kernel's last
  /// four columns, for 3×3 a 0 and three weights. For 5×5, the second part has the first column's weight in byte `stride` − 1,
  /// and 0 in all other bytes.
  ck_int8_convolution call;
  /// Pixels from one output to the next, 1 or 2. `call.x_pixel_stride` is the stride of the map, not of outputs.
  size_t stride;
  /// Dwords from part to part, at least `columns`.
  size_t weight_stride;
} ck_int8_depthwise;

/// The maximum of 3×3 windows at every other pixel of a map of quantized values, cropped to the map. Computes lines `first` ..<
/// `last` of the result. Strides are in bytes.
typedef struct {
  size_t height, width, channels;
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  /// Pixels from the first window's start to the map: 0 or 1.
  size_t top, left;
  size_t out_width, first, last;
  uint8_t *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
} ck_int8_max_pool;

/// `rows` keys of `columns` floats, a multiple of 16, quantized to −127 … 127 after subtracting their mean, with one scale per
/// key.
typedef struct {
  size_t rows, columns;
  const float *_Nonnull x;
  size_t stride;
  /// Receives the mean of the keys, `columns` floats.
  float *_Nonnull mean;
  /// Receives the quantized values of all keys, without gaps.
  int8_t *_Nonnull quantized;
  /// Receive one value per key: the scale, and the initial accumulator for unsigned values around 128, −128 · Σ quantized.
  float *_Nonnull scales;
  int32_t *_Nonnull initial;
} ck_quantized_keys;

/// Kernels for maps of 8-bit quantized values. Results have the same bits with all instruction sets.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  void (*_Nonnull convolution)(const ck_int8_convolution *_Nonnull p);

  /// Winograd's input transform of some tiles, and the tiles' convolution; NULL for sets with byte products, where the direct
  /// convolution is faster.
  void (*_Nullable winograd_input)(const ck_int8_winograd *_Nonnull p);
  void (*_Nullable winograd)(const ck_int8_winograd *_Nonnull p);

  void (*_Nonnull depthwise)(const ck_int8_depthwise *_Nonnull p);

  void (*_Nonnull max_pool)(const ck_int8_max_pool *_Nonnull p);

  /// quantized values[i] = x[i] · reciprocal_scale + zero_point, bounded to 0 … 255 and rounded, ties to even.
  void (*_Nonnull quantize)(size_t count, const float *_Nonnull x, float reciprocal_scale,
                            float zero_point, uint8_t *_Nonnull quantized);

  /// Quantizes rows of floats around 128, with one scale per row: the row's largest magnitude / 127. Strides are in elements.
  void (*_Nonnull quantize_tokens)(size_t rows, size_t columns, const float *_Nonnull x,
                                   size_t stride, uint8_t *_Nonnull quantized, size_t quantized_stride,
                                   float *_Nonnull scales);

  /// The largest magnitude of `count` floats; 0 for no floats.
  float (*_Nonnull largest)(size_t count, const float *_Nonnull x);

  /// Quantizes the keys of one attention head to signed values.
  void (*_Nonnull quantize_keys)(const ck_quantized_keys *_Nonnull p);
} ck_int8_kernels;

/// Weights of some output channels, to pack as one panel.
typedef struct {
  /// `columns` output channels of `channels` × `taps` weights.
  const int8_t *_Nonnull quantized;
  size_t columns, channels, taps;
  /// Columns of a panel, a multiple of 4.
  size_t width;
  /// Receives taps × ceil(channels / 4) × width × 4 bytes, with zeros for missing channels and columns.
  int8_t *_Nonnull packed;
  /// Receives the sum of the weights of each of `columns`.
  int32_t *_Nonnull sums;
} ck_int8_panel;

/// Packs weights in the convolution's reading order. All sets use this implementation, which moves 16 bytes at a time.
void ck_pack_int8(const ck_int8_panel *_Nonnull panel);

/// Instruction sets of the 8-bit kernels, slowest first per architecture.
typedef enum {
  ck_int8_baseline = 0,
  /// VPMADDWD on quantized values widened to 16 bits.
  ck_int8_avx2 = 1,
  /// VPDPBUSD on 256 bits.
  ck_int8_avxvnni = 2,
  /// VPDPBUSD on 512 bits.
  ck_int8_avx512vnni = 3,
  /// TDPBUSD on tiles of 16 pixels × 64 quantized values: AMX-INT8, with AVX-512 VNNI.
  ck_int8_amx = 4,
  /// SMULL on signed bytes: every processor of arm64.
  ck_int8_neon = 5,
  /// SDOT: FEAT_DotProd.
  ck_int8_dotprod = 6,
  /// USMMLA, and USDOT for depthwise convolutions: FEAT_I8MM.
  ck_int8_i8mm = 7,
} ck_int8_isa;

/// Returns whether this processor (and operating system) can run `isa`. For `ck_int8_amx` the first call requests permission
/// for tiles from Linux, which threads and forked processes share.
bool ck_int8_is_supported(ck_int8_isa isa);
/// The kernels of one instruction set, which must be supported.
const ck_int8_kernels *_Nonnull ck_int8_kernels_for(ck_int8_isa isa);
#endif
