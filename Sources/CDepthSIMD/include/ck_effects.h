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
  /// The layer that the disc is in; negative where the disc has no such row.
  int32_t layer, unused;
} ck_aperture_row;

/// Neighbors of one defocus in a row.
typedef struct {
  int32_t first, count, level;
} ck_lens_run;

/// The steps of a layer that are not 0, counted from the first pixel's; there are none where `first` is not below `end`.
typedef struct {
  int32_t first, end;
} ck_lens_range;

/// The light that falls on one row of `width` pixels, as steps of running sums: four floats (red, green, blue, coverage) for each
/// step, and `pitch` steps for each layer, of which that of the first pixel is at `before`. Discs add the steps at their left ends
/// to these, and those at their right ends `falls` steps behind: a loop that has just written a step must wait to read a part of it.
typedef struct {
  size_t width, before, pitch, falls;
  float *_Nonnull steps;
  /// The columns between which a layer's steps are not 0.
  ck_lens_range *_Nonnull ranges;
} ck_lens_sums;

/// Kernels of effects: the blur of a lens. Light is linear and of four floats a pixel: red, green, blue and 1.
typedef struct {
  /// y[i] = v·slope + intercept, v being depth[i] or its reciprocal, rounded to the nearest integer, halves away from 0, and
  /// held within ±⌊limit⌋; limit is below 2¹⁵.
  void (*_Nonnull defocus_levels)(size_t n, bool reciprocal, float slope, float intercept, float limit,
                                  const float *_Nonnull depth, int16_t *_Nonnull y);

  /// The columns of a row where one of the eight neighbors is more than `edge` lower; returns how many. Beyond the ends the last
  /// pixel repeats. `lowest` has room for n + 2 levels.
  size_t (*_Nonnull beside_farther)(size_t n, int32_t edge, const int16_t *_Nonnull above,
                                    const int16_t *_Nonnull row, const int16_t *_Nonnull below,
                                    int16_t *_Nonnull lowest, int32_t *_Nonnull columns);

  /// The light of n pixels of RGB, which the kernels below read together with one pixel more.
  void (*_Nonnull lens_light)(size_t n, const float *_Nonnull linear, const uint8_t *_Nonnull rgb,
                              float *_Nonnull light);

  /// Neighbors of one defocus, in order; returns how many.
  size_t (*_Nonnull lens_runs)(size_t n, const int16_t *_Nonnull levels, ck_lens_run *_Nonnull runs);

  /// Adds the light of a row of pixels to a row of sums; `shift` is the column of the sums where the row begins. `rows` has the discs'
  /// rows at the distance between both, by level of defocus. Sums have steps for all that the discs reach.
  void (*_Nonnull scatter_runs)(size_t count, const ck_lens_run *_Nonnull runs,
                                const ck_aperture_row *_Nonnull rows, int32_t shift,
                                const float *_Nonnull light, ck_lens_sums sums);

  /// Adds the light of single pixels of a row at ascending columns.
  void (*_Nonnull scatter_points)(size_t count, const int32_t *_Nonnull columns,
                                  const int16_t *_Nonnull levels, const ck_aperture_row *_Nonnull rows,
                                  int32_t shift, const float *_Nonnull light, ck_lens_sums sums);

  /// Lays the layers over each other from the last to the first, writes the row as `width` pixels of RGB, and empties all sums.
  /// Light divided by coverage is an index of `coded`, 0…steps. `light` has room for `width` pixels.
  void (*_Nonnull resolve_layers)(size_t layers, ck_lens_sums sums, float steps,
                                  const uint8_t *_Nonnull coded, float *_Nonnull light,
                                  uint8_t *_Nonnull out);
} ck_effects_kernels;
#endif
