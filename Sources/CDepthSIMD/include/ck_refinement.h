#ifndef CK_REFINEMENT_H
#define CK_REFINEMENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The rows of a coarse map in the windows of one fine row. Kernels load whole vectors from all arrays and write whole vectors
/// to `flat`, up to 15 floats beyond the end.
typedef struct {
  /// The `taps` rows of the window. Each row has five planes (red, green, blue, value·weight, weight) of `pitch` floats.
  const float *_Nonnull const *_Nonnull rows;
  size_t pitch;
  /// Weights of the rows.
  const float *_Nonnull window_y;
  /// The first column of each fine pixel's window, which increases by 0 or 1 per pixel.
  const int32_t *_Nonnull cells;
  /// Weights of the columns: `taps` tracks of `track` floats, one per fine pixel.
  const float *_Nonnull window_x;
  size_t track;
  /// For two taps, all bits are set if the window at the column has an edge.
  const float *_Nonnull edges;
  /// Scratch for two planes of `pitch` floats, used with two taps.
  float *_Nonnull flat;
} ck_coarse_window;

/// One row of a planar guided map. Pixel x, dy rows below, is at plane[dy·pitch + x]. Kernels read `radius` rows and pixels on
/// all sides, and up to 16 pixels beyond the row's end.
typedef struct {
  /// The guide, scaled so that 2^−|difference|² is the range weight.
  const float *_Nonnull red, *_Nonnull green, *_Nonnull blue;
  /// Value times weight, and the weight. Both numbers are 0 for a pixel without a value.
  const float *_Nonnull value, *_Nonnull weight;
  size_t pitch;
} ck_guided_row;

/// Kernels of the joint bilateral filter and of joint upsampling.
typedef struct {
  /// Converts interleaved bytes to three planes of floats, multiplied by `scale`.
  void (*_Nonnull planar)(size_t n, float scale, const uint8_t *_Nonnull rgb, float *_Nonnull red,
                          float *_Nonnull green, float *_Nonnull blue);

  /// Joint bilateral filter of one row of `n` pixels. `decay` has 2·radius+1 base-2 logarithms of the spatial Gaussian along
  /// one axis. A pixel whose window has no weight becomes 0.
  void (*_Nonnull joint_bilateral)(size_t n, size_t radius, const float *_Nonnull decay,
                                   ck_guided_row row, float *_Nonnull out);

  /// Joint bilateral upsampling of one row of `n` pixels, interleaved in `rgb` and multiplied by `scale`, from a taps × taps
  /// window with 2 or 4 taps. With `reciprocal`, the reciprocal of the quotient is stored.
  void (*_Nonnull joint_upsample)(size_t n, size_t taps, ck_coarse_window window, float scale,
                                  const uint8_t *_Nonnull rgb, bool reciprocal,
                                  float *_Nonnull out);

  /// Computes `edges` of ck_coarse_window for `n` columns of two coarse rows.
  void (*_Nonnull edge_cells)(size_t n, size_t pitch, const float *_Nonnull top,
                              const float *_Nonnull bottom, float *_Nonnull edges);

  /// y[i] = Σ_k weights[k] · x[i + k·step]. Reads up to 16 floats beyond the last.
  void (*_Nonnull weighted_sum)(size_t n, size_t count, const float *_Nonnull weights,
                                const float *_Nonnull x, ptrdiff_t step, float *_Nonnull y);

  /// Reduces the weights of a row of a map where it is steep: weight / (1 + (slope / limit)²), at least 1e-6 · weight, where
  /// limit is tolerance or, if `relative`, tolerance · value. The slope along an axis is half the difference of both neighbors.
  /// The slope is 0 at the row's ends, down the columns without `inside`, and where the map does not rise or fall on both
  /// sides. With `missing`, the slope is also 0 beside a weight of 0, and a weight of 0 is kept. Rows are `width` apart;
  /// `inside` reads the adjacent rows.
  void (*_Nonnull slope_weights)(size_t width, bool inside, bool missing, bool relative, float tolerance,
                                 const float *_Nonnull values, const float *_Nonnull weights,
                                 float *_Nonnull out);
} ck_refinement_kernels;
#endif
