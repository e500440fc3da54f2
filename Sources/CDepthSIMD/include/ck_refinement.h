#ifndef CK_REFINEMENT_H
#define CK_REFINEMENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  /// Scratch memory for two planes of `pitch`, used with two taps.
  float *_Nonnull flat;
} ck_coarse_window;

/// One row of a guided map, planar: pixel x of the row dy below is at plane[dy·pitch + x]. Kernels
/// read `radius` rows and pixels to all sides and up to 16 pixels beyond the row's end.
typedef struct {
  /// Guide, scaled so that 2^−|difference|² is the range weight.
  const float *_Nonnull red, *_Nonnull green, *_Nonnull blue;
  /// Value times weight, and the weight: 0 for both where there is no value.
  const float *_Nonnull value, *_Nonnull weight;
  size_t pitch;
} ck_guided_row;

/// Kernels of the joint bilateral filter and of joint upsampling.
typedef struct {
  /// Interleaved bytes to three planes of floats, each times `scale`.
  void (*_Nonnull planar)(size_t n, float scale, const uint8_t *_Nonnull rgb, float *_Nonnull red,
                          float *_Nonnull green, float *_Nonnull blue);

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

  /// y[i] = Σ_k weights[k] · x[i + k·step]; reads up to 16 floats beyond the last.
  void (*_Nonnull weighted_sum)(size_t n, size_t count, const float *_Nonnull weights,
                                const float *_Nonnull x, ptrdiff_t step, float *_Nonnull y);

  /// Weights of a row of a map, each less the steeper the map is there: weight / (1 + (slope / limit)²), at least 1e-6 of it, with
  /// limit = tolerance, or tolerance · value. The slope along an axis is half the difference of both neighbors, and 0 at the row's
  /// ends, without `inside` down the columns, and where the map does not rise or fall on both sides; with `missing` also beside a
  /// weight of 0, and a pixel of weight 0 keeps it. Rows are `width` apart; with `inside` the ones above and below are read.
  void (*_Nonnull slope_weights)(size_t width, bool inside, bool missing, bool relative, float tolerance,
                                 const float *_Nonnull values, const float *_Nonnull weights,
                                 float *_Nonnull out);
} ck_refinement_kernels;
#endif
