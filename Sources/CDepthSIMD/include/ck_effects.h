#ifndef CK_EFFECTS_H
#define CK_EFFECTS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One row of a disc of light as the steps of a running sum: add `rise` and `rise_next` at two pixels from `left`, and the negative
/// `fall` and `fall_next` at two pixels from `right`, and the running sum is the row's weights.
typedef struct {
  /// Pixels from the disc's middle; `right` is not smaller.
  int32_t left, right;
  float rise, rise_next, fall, fall_next;
} ck_aperture_row;

/// The discs that a lens makes of points at each level of defocus, -largest…largest.
typedef struct {
  int32_t largest;
  /// Rows above and below the middle, by magnitude of level.
  const int32_t *_Nonnull reach;
  /// The index of the middle row in `rows`, by level + largest.
  const int32_t *_Nonnull middle;
  const ck_aperture_row *_Nonnull rows;
  /// The layer of a level, by level + largest.
  const uint8_t *_Nonnull layer;
} ck_lens;

/// Neighbors of one defocus in a row.
typedef struct {
  int32_t first, count, level;
  /// Rows above and below that their discs reach.
  int32_t reach;
} ck_lens_run;

/// The steps of a layer that are not 0; there are none where `first` is not below `end`.
typedef struct {
  int32_t first, end;
} ck_lens_range;

/// The light that falls on one row of `width` pixels, as steps of running sums: four floats (red, green, blue, coverage) for each
/// step, width + 2 steps for each layer, and where they are not 0.
typedef struct {
  size_t width;
  float *_Nonnull steps;
  ck_lens_range *_Nonnull ranges;
} ck_lens_sums;

/// Kernels of effects: the blur of a lens. Light is linear and of four floats a pixel: red, green, blue and 1.
typedef struct {
  /// y[i] = v·slope + intercept, v being depth[i] or its reciprocal, rounded to nearest, away from 0 in the middle, and held within
  /// ±limit, below 2¹⁵, whose fraction is cut off.
  void (*_Nonnull defocus_levels)(size_t n, bool reciprocal, float slope, float intercept, float limit,
                                  const float *_Nonnull depth, int16_t *_Nonnull y);

  /// The columns of a row where one of the eight neighbors is more than `edge` lower; returns how many. Beyond the ends the last
  /// pixel repeats. `lowest` has room for n + 2 levels.
  size_t (*_Nonnull beside_farther)(size_t n, int32_t edge, const int16_t *_Nonnull above,
                                    const int16_t *_Nonnull row, const int16_t *_Nonnull below,
                                    int16_t *_Nonnull lowest, int32_t *_Nonnull columns);

  /// The light of n pixels of RGB.
  void (*_Nonnull lens_light)(size_t n, const float *_Nonnull linear, const uint8_t *_Nonnull rgb,
                              float *_Nonnull light);

  /// Neighbors of one defocus, in order and none across a multiple of `block`; returns how many. `reach` is that of ck_lens.
  size_t (*_Nonnull lens_runs)(size_t n, size_t block, const int32_t *_Nonnull reach,
                               const int16_t *_Nonnull levels, ck_lens_run *_Nonnull runs);

  /// Adds the light of a row of pixels to the row `distance` below; `shift` is the column of the sums where the row begins.
  void (*_Nonnull scatter_runs)(size_t count, const ck_lens_run *_Nonnull runs, ck_lens lens,
                                int32_t distance, int32_t shift, const float *_Nonnull light,
                                ck_lens_sums sums);

  /// Adds the light of single pixels of a row at ascending columns.
  void (*_Nonnull scatter_points)(size_t count, const int32_t *_Nonnull columns,
                                  const int16_t *_Nonnull levels, ck_lens lens, int32_t distance,
                                  int32_t shift, const float *_Nonnull light, ck_lens_sums sums);

  /// Lays the layers over each other from the last to the first, writes the row as `width` pixels of RGB, and empties all sums.
  /// Light divided by coverage is an index of `coded`, 0…steps. `light` has room for `width` pixels.
  void (*_Nonnull resolve_layers)(size_t layers, ck_lens_sums sums, float steps,
                                  const uint8_t *_Nonnull coded, float *_Nonnull light,
                                  uint8_t *_Nonnull out);
} ck_effects_kernels;
#endif
