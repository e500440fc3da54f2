#ifndef CK_NETWORK_H
#define CK_NETWORK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The last step of a convolution, applied to each element of the result before storing:
/// y = min(max(y + bias[c] + residual[pixel][c], lower_bound[c]), upper_bound).
typedef struct {
  /// One value per column; NULL adds nothing.
  const float *_Nullable bias;
  /// One lower bound per column: 0 for a ReLU, -INFINITY for no bound. NULL for no bounds at all.
  const float *_Nullable lower_bound;
  /// A feature map to add, `residual_stride` floats from pixel to pixel; NULL adds nothing.
  const float *_Nullable residual;
  size_t residual_stride;
  /// The upper bound of all columns, 6 for a ReLU6, and 0 for no bound.
  float upper_bound;
} ck_epilogue;

/// C = A · B with B packed in panels of `panel_width` columns: panel p holds columns
/// p·panel_width ..., row after row, padded with zeros.
typedef struct {
  size_t rows, depth, columns;
  /// rows × depth, `a_stride` floats from row to row.
  const float *_Nonnull a;
  size_t a_stride;
  /// ceil(columns / panel_width) panels of depth × panel_width.
  const float *_Nonnull b;
  /// rows × columns, `c_stride` floats from row to row.
  float *_Nonnull c;
  size_t c_stride;
  /// The next product's first panel of `b` and its `a`, rows × depth without gaps, for prefetching. NULL if unknown.
  const float *_Nullable next_b, *_Nullable next_a;
  ck_epilogue epilogue;
} ck_gemm;

/// A map divided into square tiles of `m` × `m` outputs for Winograd's algorithm, with stride 1 and an output as large as the
/// input. Tiles are numbered image by image, row by row.
typedef struct {
  size_t height, width, channels;
  size_t tile_rows, tile_columns;
  /// Floats from pixel to pixel of the map.
  size_t pixel_stride;
  /// Floats from position to position of the matrices (tiles × channels).
  size_t position_stride;
  /// Floats from tile to tile inside a position's matrix.
  size_t tile_stride;
  /// For an up-convolution: the offset of the two-tap kernels in a tile, 0 for padding at the top and left, 1 for padding at
  /// the bottom and right.
  size_t two_tap_offset;
  /// For an up-convolution's output: floats from one phase's row of the bias to the next.
  size_t phase_stride;
  /// For an input: whether pixels outside the map repeat the nearest pixel instead of being zero.
  bool repeats_border;
} ck_tiles;

/// A depthwise convolution of one image, `kernel` × `kernel` taps per channel, with (kernel − 1) / 2 rows and columns of zero
/// padding.
typedef struct {
  /// Size of the input.
  size_t height, width, channels;
  size_t kernel, stride;
  /// Columns of the result.
  size_t out_width;
  /// Floats from pixel to pixel.
  size_t x_stride, y_stride;
  const float *_Nonnull x;
  float *_Nonnull y;
  /// kernel² rows of one weight per channel, `weight_stride` floats from row to row.
  const float *_Nonnull weights;
  size_t weight_stride;
  ck_epilogue epilogue;
} ck_depthwise;

/// One row of a bilinearly resized map, with pixel x between `left[x]` and `right[x]` of two rows:
/// y = top + share · (bottom − top), each left + shares[x] · (right − left).
typedef struct {
  size_t width, channels;
  const int32_t *_Nonnull left, *_Nonnull right;
  const float *_Nonnull shares;
  float share;
  const float *_Nonnull top, *_Nonnull bottom;
  /// Floats from pixel to pixel.
  size_t source_stride, added_stride, y_stride;
  /// A row to add to the result; NULL adds nothing.
  const float *_Nullable added;
  float *_Nonnull y;
} ck_resized_row;

/// A block of scores in a softmax over several blocks:
///
///     m′ = max(m, scale · max s),  p = e^(scale · s − m′),  l′ = l · e^(m − m′) + Σ p,  o′ = o · e^(m − m′)
///
/// Initially, the maxima m of all rows are −INFINITY, and the sums l and results o are 0.
typedef struct {
  size_t rows, columns;
  float *_Nonnull scores;
  size_t score_stride;
  float scale;
  /// One factor of the scale per row; NULL for the factor 1.
  const float *_Nullable scales;
  float *_Nonnull maxima, *_Nonnull sums, *_Nonnull results;
  size_t result_stride, result_columns;
} ck_softmax;

/// The kernels of the network: matrix products, Winograd transforms, depthwise convolutions, pooling.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  /// C = A · B, then the epilogue.
  void (*_Nonnull gemm)(const ck_gemm *_Nonnull p);

  /// The epilogue alone, in place, on rows × columns floats, `stride` floats from row to row.
  void (*_Nonnull epilogue)(size_t rows, size_t columns, float *_Nonnull y, size_t stride,
                            const ck_epilogue *_Nonnull e);

  /// Packs `columns` columns of a matrix into a panel: element (k, j), at k·panel_stride + j,
  /// becomes source[j·column_stride + k·depth_stride] for j < columns, else 0.
  void (*_Nonnull pack_panel)(size_t depth, size_t columns, const float *_Nonnull source,
                              size_t column_stride, size_t depth_stride, float *_Nonnull panel,
                              size_t panel_stride);

  /// Transforms tiles first ..< last of `x` for 3×3 kernels: (m+2)² positions.
  void (*_Nonnull winograd_input[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                     const float *_Nonnull x, float *_Nonnull v);

  /// Transforms tiles first ..< last of `x` for an up-convolution's kernels of 3×3, 2×3, 3×2 and
  /// 2×2 taps: (2m+3)² positions.
  void (*_Nonnull up_convolution_input[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                    const float *_Nonnull x, float *_Nonnull v);

  /// Transforms products into tiles first ..< last of a map, and applies the epilogue.
  void (*_Nonnull winograd_output[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                      const float *_Nonnull products, float *_Nonnull y,
                                      const ck_epilogue *_Nonnull e);

  /// Transforms an up-convolution's products into tiles first ..< last of the interleaved map of
  /// twice the height and width. The bias holds four rows, `phase_stride` floats apart: A, B, C, D.
  void (*_Nonnull up_convolution_output[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                     const float *_Nonnull products, float *_Nonnull y,
                                     const ck_epilogue *_Nonnull e);

  /// U = G · g · Gᵀ for `columns` kernels side by side, in double precision: taps is
  /// height·width × panel_width, u is rows·cols × `position_stride`.
  void (*_Nonnull winograd_kernel)(size_t tap_height, size_t tap_width, size_t rows, size_t cols,
                                   const double *_Nonnull g_rows, const double *_Nonnull g_cols,
                                   const float *_Nonnull taps, float *_Nonnull u,
                                   size_t position_row_stride, size_t position_stride);

  /// Computes rows first ..< last of 3×3 stride-2 maximum pooling, with windows cropped to the map.
  void (*_Nonnull max_pool)(size_t height, size_t width, size_t channels, size_t x_stride,
                            ptrdiff_t pad_top, ptrdiff_t pad_left, size_t out_width,
                            size_t y_stride, size_t first, size_t last, const float *_Nonnull x,
                            float *_Nonnull y);

  /// Sums the nine products of a 3×3 convolution with few output channels: y(r, c)[o] = bias[o] + Σ p(r+i-1, c+j-1)[9o+3i+j],
  /// for rows first ..< last, bounded by `lower_bound` and `upper_bound`.
  void (*_Nonnull sum_taps)(size_t height, size_t width, size_t outputs, size_t stride,
                            size_t first, size_t last, const float *_Nonnull products,
                            const float *_Nonnull bias, float lower_bound, float upper_bound,
                            float *_Nonnull y);

  /// Computes rows first ..< last of a depthwise convolution, then the epilogue. Each output is a single chain of additions in
  /// the order of the taps.
  void (*_Nonnull depthwise)(const ck_depthwise *_Nonnull p, size_t first, size_t last);

  /// y[i] = eˣ for x[i] bounded to −87 … 88, within 2 ulp; NaN counts as −87. Results have the same bits with all sets.
  void (*_Nonnull exponential)(size_t count, const float *_Nonnull x, float *_Nonnull y);

  /// y[i] = largest / (1 + e^−x[i]), with the exponential above. Results have the same bits with all sets.
  void (*_Nonnull sigmoid)(size_t count, float largest, const float *_Nonnull x, float *_Nonnull y);

  /// y = y/2 · (1 + erf(y / √2)) in place on rows × columns floats, `stride` floats from row to row. Results have the same bits
  /// with all sets.
  void (*_Nonnull gelu)(size_t rows, size_t columns, float *_Nonnull y, size_t stride);

  /// Normalizes each row: (row − mean) / √(variance + ε) · γ + β; y may be x.
  void (*_Nonnull layer_norm)(size_t rows, size_t channels, const float *_Nonnull x, size_t x_stride,
                              const float *_Nonnull gamma, const float *_Nonnull beta, float epsilon,
                              float *_Nonnull y, size_t y_stride);

  /// Computes a block of scores in a softmax over several blocks. The shares overwrite the scores.
  void (*_Nonnull running_softmax)(const ck_softmax *_Nonnull p);

  /// Computes one row of a bilinearly resized map. Results have the same bits with all sets.
  void (*_Nonnull resize_row)(const ck_resized_row *_Nonnull p);
} ck_network_kernels;
#endif
