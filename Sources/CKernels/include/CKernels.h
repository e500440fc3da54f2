#ifndef CKERNELS_H
#define CKERNELS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Instruction sets, slowest first.
typedef enum { ck_baseline = 0, ck_avx2 = 1, ck_avx512 = 2 } ck_isa;

/// What happens to every element of a convolution's result before it is stored:
/// y = max(y + bias[c] + residual[pixel][c], floor[c]).
typedef struct {
  /// One value a column; NULL adds nothing.
  const float *_Nullable bias;
  /// Lower bound of every column, -INFINITY where there is no ReLU; NULL bounds nothing.
  const float *_Nullable floor;
  /// A feature map added to the result, `residual_stride` floats from pixel to pixel; NULL adds nothing.
  const float *_Nullable residual;
  size_t residual_stride;
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
  /// What the next product will read as `b`, a panel's worth, and as `a`, rows × depth without gaps; both
  /// are fetched into the cache meanwhile. NULL where nothing follows.
  const float *_Nullable next_b, *_Nullable next_a;
  ck_epilogue epilogue;
} ck_product;

/// A map cut into square tiles of `m` × `m` outputs for Winograd's algorithm, stride 1, output as
/// large as the input. Tiles are numbered image by image, row by row.
typedef struct {
  size_t height, width, channels;
  size_t tile_rows, tile_columns;
  /// Floats from pixel to pixel of the map.
  size_t pixel_stride;
  /// Floats from one position's matrix (tiles × channels) to the next one's.
  size_t position_stride;
  /// Floats from tile to tile inside a position's matrix.
  size_t tile_stride;
  /// For the quartet: where the two-tap kernels start inside a tile, 0 when the map is padded at
  /// the top and left, 1 when at the bottom and right.
  size_t two_tap_offset;
  /// For the quartet's output: floats from one phase's row of the bias to the next one's.
  size_t phase_stride;
} ck_tiles;

/// Sums over pixels of a predicted depth map, see templates/depth_errors.h.
typedef struct {
  double relative, squared, log, absolute_log, squared_log;
  /// Pixels that count, and those within a factor of 1.25, 1.25², 1.25³ of the truth.
  uint64_t count, within[3];
} ck_depth_errors;
/// The rows of a coarse map that the windows of one fine row see. Kernels load whole vectors from all
/// of this and write whole vectors to `flat`, up to 15 floats beyond the end.
typedef struct {
  /// The `taps` rows of the window: five planes (red, green, blue, value·weight, weight) of `pitch`.
  const float *_Nonnull const *_Nonnull rows;
  size_t pitch;
  /// Weights of the rows.
  const float *_Nonnull window_y;
  /// The column where each fine pixel's window begins; does not fall, and climbs by at most 1 a pixel.
  const int32_t *_Nonnull cells;
  /// Weights of the columns: `taps` tracks of `track` floats, one for each fine pixel.
  const float *_Nonnull window_x;
  size_t track;
  /// For two taps: all bits set where the window at that column has an edge.
  const float *_Nonnull edges;
  /// For two taps: room for two planes of `pitch`.
  float *_Nonnull flat;
} ck_coarse_window;

/// One row of a guided map, planar: pixel x of the row dy below stands at plane[dy·pitch + x]. Kernels
/// read `radius` rows and pixels to all sides and up to 16 pixels beyond the row's end.
typedef struct {
  /// Guide, scaled so that 2^−|difference|² is the range weight.
  const float *_Nonnull red, *_Nonnull green, *_Nonnull blue;
  /// Value times weight, and the weight: 0 for both where there is no value.
  const float *_Nonnull value, *_Nonnull weight;
  size_t pitch;
} ck_guided_row;

/// One implementation of every kernel.
typedef struct {
  /// Columns of a packed panel.
  size_t panel_width;

  /// C = A · B, then the epilogue.
  void (*_Nonnull product)(const ck_product *_Nonnull p);
  /// The epilogue alone, in place, on rows × columns floats, `stride` floats from row to row.
  void (*_Nonnull epilogue)(size_t rows, size_t columns, float *_Nonnull y, size_t stride,
                            const ck_epilogue *_Nonnull e);
  /// One panel from `columns` columns of a matrix: element (k, j) of the panel, which stands at
  /// k·panel_stride + j, is source[j·column_stride + k·depth_stride] for j < columns, else 0.
  void (*_Nonnull pack_panel)(size_t depth, size_t columns, const float *_Nonnull source,
                              size_t column_stride, size_t depth_stride, float *_Nonnull panel,
                              size_t panel_stride);

  /// Transforms tiles first ..< last of `x` for 3×3 kernels: (m+2)² positions.
  void (*_Nonnull winograd_input[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                     const float *_Nonnull x, float *_Nonnull v);
  /// Transforms tiles first ..< last of `x` for a quartet of 3×3, 2×3, 3×2, 2×2: (2m+3)² positions.
  void (*_Nonnull quartet_input[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                    const float *_Nonnull x, float *_Nonnull v);
  /// Turns products back into tiles first ..< last of a map, with the epilogue.
  void (*_Nonnull winograd_output[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                      const float *_Nonnull products, float *_Nonnull y,
                                      const ck_epilogue *_Nonnull e);
  /// Turns a quartet's products into tiles first ..< last of a map of twice the height and width,
  /// interleaved. The bias holds four rows, `phase_stride` floats apart: A, B, C, D.
  void (*_Nonnull quartet_output[2])(const ck_tiles *_Nonnull t, size_t first, size_t last,
                                     const float *_Nonnull products, float *_Nonnull y,
                                     const ck_epilogue *_Nonnull e);
  /// U = G · g · Gᵀ for `columns` kernels side by side, in double precision: taps is
  /// height·width × panel_width, u is rows·cols × `position_stride`.
  void (*_Nonnull winograd_kernel)(size_t tap_height, size_t tap_width, size_t rows, size_t cols,
                                   const double *_Nonnull g_rows, const double *_Nonnull g_cols,
                                   const float *_Nonnull taps, float *_Nonnull u,
                                   size_t position_row_stride, size_t position_stride);

  /// Rows first ..< last of 3×3 stride-2 maximum pooling; taps outside the map never win.
  void (*_Nonnull max_pool)(size_t height, size_t width, size_t channels, size_t x_stride,
                            ptrdiff_t pad_top, ptrdiff_t pad_left, size_t out_width,
                            size_t y_stride, size_t first, size_t last, const float *_Nonnull x, float *_Nonnull y);
  /// Adds up the nine products of a 3×3 convolution with one output channel: y(r, c) = bias +
  /// Σ p(r+i-1, c+j-1)[3i+j], rows first ..< last, bounded below by `floor`.
  void (*_Nonnull sum_taps)(size_t height, size_t width, size_t stride, size_t first, size_t last,
                            const float *_Nonnull products, float bias, float floor,
                            float *_Nonnull y);
  /// Resamples rows of interleaved RGB along the row, n bytes each, weights in 1/2^22:
  /// y[r][3 i + c] = Σ_t weights[i·pitch + 3 t + c] · x[r][starts[i] + 3 t + c], rounded and clamped.
  /// Each weight stands there three times, once a channel; weights from `positions` up to `pitch`, a
  /// multiple of 12, are zero. Windows may begin and end beyond the row's end, up to `reach`, at least n,
  /// bytes from its beginning. `scratch` has room for 8·(reach + 3·count) bytes.
  void (*_Nonnull resample_rgb)(
      size_t rows, size_t count, const int32_t *_Nonnull starts, size_t positions, size_t pitch,
      const int32_t *_Nonnull weights, size_t n, size_t stride_in, const uint8_t *_Nonnull x,
      size_t stride_out, uint8_t *_Nonnull y, size_t reach, uint8_t *_Nonnull scratch);
  /// y[i] = Σ_t weights[t] · x[t·stride + i] for i in 0..<n, weights in 1/2^22, rounded and clamped.
  void (*_Nonnull resample_rows)(
      size_t n, size_t taps, const int32_t *_Nonnull weights, size_t stride,
      const uint8_t *_Nonnull x, uint8_t *_Nonnull y);

  /// Adds to `sums` the errors of n predicted depths p, positive and finite, against true depths y, of
  /// which those count that lie strictly between `nearest`, at least 0, and `farthest`.
  void (*_Nonnull depth_errors)(size_t n, const double *_Nonnull p, const float *_Nonnull y,
                                float nearest, float farthest, ck_depth_errors *_Nonnull sums);
  /// Writes those i < n, ascending, where one of p[i] and q[i], or one of y[i] and z[i], is more than
  /// `ratio` times the other; returns how many. `indices` has room for n.
  size_t (*_Nonnull edge_candidates)(size_t n, const float *_Nonnull p, const float *_Nonnull q,
                                     const float *_Nonnull y, const float *_Nonnull z, float ratio,
                                     uint32_t *_Nonnull indices);
  /// y[i] = a·u[i] + b·v[i].
  void (*_Nonnull blend_rows)(size_t n, double a, const double *_Nonnull u, double b,
                              const double *_Nonnull v, double *_Nonnull y);
  /// y[i] = x[i], rounded.
  void (*_Nonnull round_row)(size_t n, const double *_Nonnull x, float *_Nonnull y);
  /// Joint bilateral filter of one row of `n` pixels; `decay` has 2·radius+1 base-2 logarithms of the
  /// spatial Gaussian along one axis. A pixel whose window holds no weight becomes 0.
  void (*_Nonnull joint_bilateral)(size_t n, size_t radius, const float *_Nonnull decay,
                                   ck_guided_row row, float *_Nonnull out);

  /// Joint bilateral upsampling of one row of `n` pixels, interleaved at `rgb` and multiplied by `scale`,
  /// from a taps × taps window, taps being 2 or 4. With `reciprocal` the quotient is turned over.
  void (*_Nonnull joint_upsample)(size_t n, size_t taps, ck_coarse_window window, float scale,
                                  const uint8_t *_Nonnull rgb, bool reciprocal,
                                  float *_Nonnull out);

  /// `edges` of ck_coarse_window for `n` columns of two coarse rows.
  void (*_Nonnull edge_cells)(size_t n, size_t pitch, const float *_Nonnull top,
                              const float *_Nonnull bottom, float *_Nonnull edges);

  /// Interleaved bytes to three planes of floats, each times `scale`.
  void (*_Nonnull planar)(size_t n, float scale, const uint8_t *_Nonnull rgb, float *_Nonnull red,
                          float *_Nonnull green, float *_Nonnull blue);

  /// y[i] = Σ_k weights[k] · x[k·step + i], k in order from 0.
  void (*_Nonnull weighted_bytes)(size_t n, size_t count, const float *_Nonnull weights,
                                  const uint8_t *_Nonnull x, size_t step, float *_Nonnull y);

  /// y[i] = Σ_k weights[k] · x[i + k·step]; reads up to 16 floats beyond the last.
  void (*_Nonnull weighted_sum)(size_t n, size_t count, const float *_Nonnull weights,
                                const float *_Nonnull x, ptrdiff_t step, float *_Nonnull y);
  // Depth-image-based rendering (templates/warp.h). Positions along a row count 1/64 pixel.

  /// Smallest and largest of the finite (with `positive`, also positive) values of x, and how many others there are;
  /// +infinity and -infinity when there are none.
  void (*_Nonnull value_range)(size_t n, bool positive, const float *_Nonnull x, float *_Nonnull low, float *_Nonnull high, size_t *_Nonnull missing);
  /// line[i] = v·scale + offset held within ±limit and rounded to the nearest whole number, v being depth[i] or its
  /// reciprocal; limit at most 2²².
  void (*_Nonnull parallax_line)(size_t n, bool reciprocal, float scale, float offset, float limit, const float *_Nonnull depth, int32_t *_Nonnull line);
  /// y[i] = max(x[i], y[i]).
  void (*_Nonnull line_maximum)(size_t n, const int32_t *_Nonnull x, int32_t *_Nonnull y);
  /// widened[i] = the maximum of highest[i - radius ... i + radius] where that exceeds line[i] by more than `step`, else
  /// line[i]. `highest` is readable `radius` elements beyond both ends.
  void (*_Nonnull widen_line)(size_t n, ptrdiff_t radius, int32_t step, const int32_t *_Nonnull highest, const int32_t *_Nonnull line, int32_t *_Nonnull widened);
  /// shift[i] = line[i]·share/256, rounded; `mirrored` reads the line backwards.
  void (*_Nonnull eye_line)(size_t n, int32_t share, bool mirrored, const int32_t *_Nonnull line, int32_t *_Nonnull shift);
  /// For every target the source position seen there, painted over what `source` holds (-1: nothing).
  /// `source` is writable max|shift|/64 + 2 elements beyond both ends; neighbours that land more than `stretch` apart are
  /// torn.
  void (*_Nonnull warp_line)(ptrdiff_t n, int32_t stretch, const int32_t *_Nonnull shift, int32_t *_Nonnull source);
  /// The same line seen in a mirror: positions and targets count from the other end.
  void (*_Nonnull mirror_source)(size_t n, const int32_t *_Nonnull source, int32_t *_Nonnull mirrored);
  /// mask[i] = 255 where source[i] is negative, else 0; returns how many.
  size_t (*_Nonnull hole_line)(size_t n, const int32_t *_Nonnull source, uint8_t *_Nonnull mask);
  /// Colours at the source positions by four-tap interpolation. `row` begins one pixel left of the photo's row and is
  /// readable for n + 3 pixels and 4 bytes; 16 weights a phase, 64ths, four a tap. Negative positions give any colour.
  void (*_Nonnull sample_line)(size_t n, const uint8_t *_Nonnull row, const int16_t *_Nonnull weights, const int32_t *_Nonnull source, uint8_t *_Nonnull out);
  /// Filters a row of n bytes, `bpp` bytes a pixel, for PNG: y[0] is the type of the filter whose bytes,
  /// as signed numbers, have the smallest sum of magnitudes (the lowest type among equals), and the
  /// n bytes behind it are the filtered row.
  void (*_Nonnull png_filter)(size_t n, size_t bpp, const uint8_t *_Nonnull x,
                              const uint8_t *_Nonnull above, uint8_t *_Nonnull y);
  /// Undoes the filters of a PNG of 16-bit grey samples: `filtered` has 1 + 2·width bytes a row, the first
  /// of which names the row's filter. False when it names none.
  bool (*_Nonnull png_unfilter16)(size_t rows, size_t width, const uint8_t *_Nonnull filtered,
                                  uint16_t *_Nonnull samples);
} ck_kernels;

/// Tells the processor that the caller is waiting in a loop.
static inline void ck_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Takes SHA-256's state through `count` blocks of 64 bytes; `portable` leaves the processor's own
/// instructions unused.
void ck_sha256_blocks(uint32_t state[_Nonnull 8], const uint8_t *_Nonnull bytes, size_t count,
                      bool portable);

/// Processors that the calling thread may run on; all that are on line where the system does not say.
size_t ck_processors(void);

/// Whether this processor (and operating system) can run `isa`.
bool ck_is_supported(ck_isa isa);
/// The kernels of one instruction set. Call only sets that are supported.
const ck_kernels *_Nonnull ck_kernels_for(ck_isa isa);
#endif
