#ifndef CK_CODES_H
#define CK_CODES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The last operation of a convolution of 8-bit quantized values, which are called codes here and whose scale is called
/// step, for the sum `a` of one pixel and column c:
///
///     y = a · multiplier[c] + offset[c] + residual[pixel][c] · residual_step
///
/// with every operation rounded by itself. Codes are y bounded to lower_bound[c] … 255, and to `upper_bound`, and rounded to
/// the nearest integer, ties to even; floats are y bounded by both. Codes of floats, where `code_factor` is positive, are those
/// that `quantize` makes of floats: y bounded by both, · code_factor + code_offset, bounded to 0 … 255 and rounded.
typedef struct {
  /// One value per column each.
  const float *_Nonnull multiplier, *_Nonnull offset, *_Nonnull lower_bound;
  /// A map of codes that is added, laid out like the result with strides of its own; NULL adds nothing. The offset
  /// accounts for its zero point.
  const uint8_t *_Nullable residual;
  size_t residual_pixel_stride, residual_line_stride;
  float residual_step;
  /// The upper bound of all columns; 0 bounds nothing.
  float upper_bound;
  float code_factor, code_offset;
  /// Whether all of lower_bound is 0, which codes are bounded to anyway.
  bool lower_is_zero;
} ck_code_epilogue;

/// What a convolution of tokens, each of which has a step of its own, makes of the sum `a` of one pixel and column c, in place of all
/// that the epilogue says but the multiplier and the offset:
///
///     y = a · multiplier[c] · steps[pixel] + offset[c] + added[pixel][c]
///
/// with every operation rounded by itself, as floats that nothing bounds.
typedef struct {
  bool applies;
  /// One factor per pixel of the only line; NULL for y = a · multiplier[c].
  const float *_Nullable steps;
  /// Floats that are added, `added_stride` from pixel to pixel; NULL adds nothing.
  const float *_Nullable added;
  size_t added_stride;
} ck_token_epilogue;

/// A direct convolution of unsigned 8-bit codes with signed 8-bit weights for `lines` lines of `pixels` outputs, and
/// `columns` output channels. Sums are exact: 32 bits hold 65 000 products.
///
/// An output reads `segments` runs of 4·quads codes, at `offsets` from its own place in the map; the map has a border,
/// so that no run needs a check.
typedef struct {
  size_t lines, pixels, columns, segments, quads;
  /// Codes of line 0, pixel 0; strides in bytes.
  const uint8_t *_Nonnull x;
  size_t x_pixel_stride, x_line_stride;
  const ptrdiff_t *_Nonnull offsets;
  /// ceil(columns / panel_width) panels of segments·quads × panel_width × 4 weights: the four bytes of a lane belong to
  /// one column and four consecutive codes.
  const int8_t *_Nonnull weights;
  /// What the sum of each column begins with: it removes the zero point of the codes.
  const int32_t *_Nonnull initial;
  /// The result of line 0, pixel 0, column 0: codes, or floats where `writes_floats`; strides in elements.
  void *_Nonnull y;
  size_t y_pixel_stride, y_line_stride;
  bool writes_floats;
  ck_code_epilogue epilogue;
  ck_token_epilogue tokens;
} ck_code_convolution;

/// A convolution of 3×3 weights or fewer, one pixel apart, by Winograd's F(4 × 4, 3 × 3): its sums are those of the direct one. Tiles of
/// 4 × 4 results are counted line by line.
typedef struct {
  /// As in a convolution, for the columns of one panel; `lines` and `pixels` are those of the map, which has a border of one pixel and
  /// 4·quads codes per pixel. `segments` and `offsets` are not used.
  ck_code_convolution call;
  /// Rows and columns of the kernel, and where it lies in one of 3×3.
  size_t kernel_height, kernel_width, first_row, first_column;
  /// Tiles first ..< last are computed.
  size_t first, last;
  /// 36 × all tiles × 4·quads transformed codes.
  int16_t *_Nonnull transformed;
  /// From position to position of `transformed`, at least all tiles × 4·quads.
  size_t position_stride;
  /// Scratch of one panel's transformed weights: 36 × 4·quads × panel_width.
  int16_t *_Nonnull weights;
} ck_code_winograd;

/// A convolution of each channel of a map of codes with a kernel of its own of 3×3 or 5×5 weights. Sums are exact.
typedef struct {
  /// Maps, channels (`columns`), what sums begin with and the epilogue, as in a convolution. An output reads `segments` rows of
  /// as many codes, one per pixel, from `offsets` on. `quads` is not used.
  ///
  /// Weights are rows × parts × `weight_stride` dwords. The first part's four bytes are the weights of the last four columns
  /// of the kernel, those of 3×3 after a 0; for 5×5 the second part has the weight of the first column in byte `stride` − 1,
  /// and 0 elsewhere.
  ck_code_convolution call;
  /// Pixels from one output to the next, 1 or 2: `call.x_pixel_stride` is that of the map, not of outputs.
  size_t stride;
  /// Dwords from part to part, at least `columns`.
  size_t weight_stride;
} ck_code_depthwise;

/// The maximum of 3×3 windows at every other pixel of a map of codes, cropped to the map, for lines `first` ..< `last` of the
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
} ck_code_max_pool;

/// `rows` keys of `columns` floats, a multiple of 16: less their mean, as codes of −127 … 127 with a step per key.
typedef struct {
  size_t rows, columns;
  const float *_Nonnull x;
  size_t stride;
  /// Gets the mean of the keys, `columns` floats.
  float *_Nonnull mean;
  /// Gets the codes of all keys without gaps.
  int8_t *_Nonnull codes;
  /// Get one value per key: its step, and what its sum with unsigned codes around 128 begins with, −128 · Σ codes.
  float *_Nonnull steps;
  int32_t *_Nonnull initial;
} ck_quantized_keys;

/// Kernels of maps of 8-bit quantized values. All instruction sets give the same bits.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  void (*_Nonnull convolution)(const ck_code_convolution *_Nonnull p);

  /// Transforms the codes of some tiles, and convolves them; NULL where the set multiplies bytes, and the direct convolution is faster.
  void (*_Nullable winograd_input)(const ck_code_winograd *_Nonnull p);
  void (*_Nullable winograd)(const ck_code_winograd *_Nonnull p);

  void (*_Nonnull depthwise)(const ck_code_depthwise *_Nonnull p);

  void (*_Nonnull max_pool)(const ck_code_max_pool *_Nonnull p);

  /// codes[i] = x[i] · reciprocal_step + zero_point, bounded to 0 … 255 and rounded, ties to even.
  void (*_Nonnull quantize)(size_t count, const float *_Nonnull x, float reciprocal_step,
                            float zero_point, uint8_t *_Nonnull codes);

  /// Rows of floats as codes around 128, each with a step of its own, which is its largest magnitude / 127. Strides in elements.
  void (*_Nonnull quantize_tokens)(size_t rows, size_t columns, const float *_Nonnull x,
                                   size_t stride, uint8_t *_Nonnull codes, size_t code_stride,
                                   float *_Nonnull steps);

  /// The keys of one head of attention as signed codes.
  void (*_Nonnull quantize_keys)(const ck_quantized_keys *_Nonnull p);
} ck_code_kernels;

/// Weights of some output channels, to be packed as one panel.
typedef struct {
  /// `columns` output channels of `channels` × `taps` weights.
  const int8_t *_Nonnull codes;
  size_t columns, channels, taps;
  /// Columns of a panel, a multiple of 4.
  size_t width;
  /// Gets taps × ceil(channels / 4) × width × 4 bytes, with zeros for the channels and columns that there are not.
  int8_t *_Nonnull packed;
  /// Gets the sum of the weights of each of `columns`.
  int32_t *_Nonnull sums;
} ck_code_panel;

/// Writes weights in the order in which the convolution reads them. One implementation: it moves bytes, 16 at a time.
void ck_pack_codes(const ck_code_panel *_Nonnull panel);

/// Instruction sets of the kernels of codes, slowest first per architecture.
typedef enum {
  ck_codes_baseline = 0,
  /// VPMADDWD on codes widened to 16 bits.
  ck_codes_avx2 = 1,
  /// VPDPBUSD on 256 bits.
  ck_codes_avxvnni = 2,
  /// VPDPBUSD on 512 bits.
  ck_codes_avx512vnni = 3,
  /// TDPBUSD on tiles of 16 pixels × 64 codes: AMX-INT8, beside AVX-512 VNNI.
  ck_codes_amx = 4,
  /// SMULL on signed bytes: every processor of arm64.
  ck_codes_neon = 5,
  /// SDOT: FEAT_DotProd.
  ck_codes_dotprod = 6,
  /// USMMLA, and USDOT for depthwise convolutions: FEAT_I8MM.
  ck_codes_i8mm = 7,
} ck_codes_isa;

/// Whether this processor (and operating system) can run `isa`. For `ck_codes_amx` the first call asks Linux for this
/// process's permission to use tiles, which threads and forked processes share.
bool ck_codes_is_supported(ck_codes_isa isa);
/// The kernels of one instruction set, which must be supported.
const ck_code_kernels *_Nonnull ck_code_kernels_for(ck_codes_isa isa);
#endif
