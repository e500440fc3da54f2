#ifndef CK_EFFECTS_H
#define CK_EFFECTS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One row of a disc of light as steps of a running sum. `rise` and `rise_next` are added at two pixels from `left`, and the
/// negative `fall` and `fall_next` at two pixels from `right`. The running sum is then the row's weights.
typedef struct {
  /// Pixels from the disc's center; `left` ≤ `right`.
  int32_t left, right;
  float rise, rise_next, fall, fall_next;
  /// The disc's layer; negative if the disc has no such row.
  int32_t layer, unused;
} ck_aperture_row;

/// Adjacent pixels of one defocus level in a row.
typedef struct {
  int32_t first, count, level;
} ck_lens_run;

/// The range of a layer's nonzero steps, counted from the first pixel's step; empty unless `first` < `end`.
typedef struct {
  int32_t first, end;
} ck_lens_range;

/// The light of one row of `width` pixels as steps of running sums. Each step is four floats (red, green, blue, coverage). Each
/// layer has `pitch` steps, with the first pixel's step at `before`. Steps at the discs' right ends are stored `falls` steps
/// later, because a loop stalls when it reads part of a step that it has just written.
typedef struct {
  size_t width, before, pitch, falls;
  float *_Nonnull steps;
  /// The range of each layer's nonzero steps.
  ck_lens_range *_Nonnull ranges;
} ck_lens_sums;

/// Kernels of lens blur. Light is linear, with four floats per pixel: red, green, blue and 1.
typedef struct {
  /// y[i] = v·slope + intercept with v = depth[i] or its reciprocal, rounded to the nearest integer, halves away from 0, and
  /// clamped to ±⌊limit⌋; limit is below 2¹⁵.
  void (*_Nonnull defocus_levels)(size_t n, bool reciprocal, float slope, float intercept, float limit,
                                  const float *_Nonnull depth, int16_t *_Nonnull y);

  /// Finds the columns where one of the eight neighbors is more than `edge` lower, and returns their number. Beyond the ends,
  /// the last pixel is repeated. `lowest` has room for n + 2 levels.
  size_t (*_Nonnull beside_farther)(size_t n, int32_t edge, const int16_t *_Nonnull above,
                                    const int16_t *_Nonnull row, const int16_t *_Nonnull below,
                                    int16_t *_Nonnull lowest, int32_t *_Nonnull columns);

  /// Converts n pixels of RGB to light. The kernels below also read one additional pixel.
  void (*_Nonnull lens_light)(size_t n, const float *_Nonnull linear, const uint8_t *_Nonnull rgb,
                              float *_Nonnull light);

  /// Finds runs of one defocus level, in order, and returns their number.
  size_t (*_Nonnull lens_runs)(size_t n, const int16_t *_Nonnull levels, ck_lens_run *_Nonnull runs);

  /// Adds the light of a row of pixels to a row of sums, from column `shift`. `rows` has the discs' rows at the distance
  /// between the two rows, by defocus level. Sums have steps for the full reach of the discs.
  void (*_Nonnull scatter_runs)(size_t count, const ck_lens_run *_Nonnull runs,
                                const ck_aperture_row *_Nonnull rows, int32_t shift,
                                const float *_Nonnull light, ck_lens_sums sums);

  /// Adds the light of single pixels of a row at ascending columns.
  void (*_Nonnull scatter_points)(size_t count, const int32_t *_Nonnull columns,
                                  const int16_t *_Nonnull levels, const ck_aperture_row *_Nonnull rows,
                                  int32_t shift, const float *_Nonnull light, ck_lens_sums sums);

  /// Composites the layers from the last to the first, writes `width` pixels of RGB, and resets all sums. Light divided by
  /// coverage is an index of `coded`, 0…steps. `light` has room for `width` pixels.
  void (*_Nonnull resolve_layers)(size_t layers, ck_lens_sums sums, float steps,
                                  const uint8_t *_Nonnull coded, float *_Nonnull light,
                                  uint8_t *_Nonnull out);
} ck_effects_kernels;
#endif
