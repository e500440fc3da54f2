#ifndef CK_VIEWS_H
#define CK_VIEWS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Kernels of view synthesis. Positions along a row are in 1/64 pixel.
typedef struct {
  /// line[i] = v·scale + offset with v = depth[i] or its reciprocal, clamped to ±limit and rounded to the nearest integer;
  /// limit is at most 2²².
  void (*_Nonnull parallax_line)(size_t n, bool reciprocal, float scale, float offset, float limit, const float *_Nonnull depth, int32_t *_Nonnull line);

  /// Stretches a row between two rows of n parallaxes: out[i] = b[first[i]]·first_share[i] + b[second[i]]·second_share[i],
  /// rounded to the nearest integer, with b = upper·upper_share + lower·lower_share, stored in `blended`. Parallax is at most
  /// 2²².
  void (*_Nonnull stretch_line)(size_t n, const int32_t *_Nonnull upper, float upper_share, const int32_t *_Nonnull lower, float lower_share, float *_Nonnull blended, size_t count, const int32_t *_Nonnull first, const int32_t *_Nonnull second, const float *_Nonnull first_share, const float *_Nonnull second_share, int32_t *_Nonnull out);

  /// y[i] = max(x[i], y[i]).
  void (*_Nonnull line_maximum)(size_t n, const int32_t *_Nonnull x, int32_t *_Nonnull y);

  /// widened[i] = the maximum of highest[i - radius ... i + radius] if it exceeds line[i] by more than `step`, else line[i].
  /// `highest` is readable `radius` elements beyond both ends.
  void (*_Nonnull widen_line)(size_t n, ptrdiff_t radius, int32_t step, const int32_t *_Nonnull highest, const int32_t *_Nonnull line, int32_t *_Nonnull widened);

  /// shift[i] = line[i]·share/256, rounded; `mirrored` reads the line backwards.
  void (*_Nonnull eye_line)(size_t n, int32_t share, bool mirrored, const int32_t *_Nonnull line, int32_t *_Nonnull shift);

  /// Writes each target's visible source position over the content of `source` (-1: none). `source` is writable max|shift|/64 +
  /// 2 elements beyond both ends. Neighbors with targets more than `stretch` apart are separated.
  void (*_Nonnull warp_line)(ptrdiff_t n, int32_t stretch, const int32_t *_Nonnull shift, int32_t *_Nonnull source);

  /// The mirror image of a line, with positions and targets counted from the other end.
  void (*_Nonnull mirror_source)(size_t n, const int32_t *_Nonnull source, int32_t *_Nonnull mirrored);

  /// mask[i] = 255 where source[i] is negative, else 0; returns the number of holes.
  size_t (*_Nonnull hole_line)(size_t n, const int32_t *_Nonnull source, uint8_t *_Nonnull mask);

  /// Colors at the source positions by four-tap interpolation. `row` begins one pixel left of the photo's row and is readable
  /// for n + 3 pixels and 4 bytes. `weights` has 16 weights per phase, four per tap, in 64ths. Colors at negative positions are
  /// arbitrary.
  void (*_Nonnull sample_line)(size_t n, const uint8_t *_Nonnull row, const int16_t *_Nonnull weights, const int32_t *_Nonnull source, uint8_t *_Nonnull out);

  /// level[i] = 128 + p/step, rounded toward zero and clamped to a byte. p is half a step plus the parallax at the pixel
  /// nearest to source[i], or half a step for a hole. |p| is below 2²³.
  void (*_Nonnull level_line)(size_t n, int32_t step, const int32_t *_Nonnull parallax, const int32_t *_Nonnull source, uint8_t *_Nonnull level);

  /// y[i] = the maximum of x[i - radius ... i + radius] within the row. `scratch` has room for 2·(n + 2·radius) bytes.
  void (*_Nonnull widen_bytes)(size_t n, size_t radius, const uint8_t *_Nonnull x, uint8_t *_Nonnull y, uint8_t *_Nonnull scratch);

  /// Smooths the gap from column `start` to `end` of a row along the columns. Each pixel becomes the binomially weighted mean
  /// of its column's pixels in `holes`. The radius is 1 pixel beside the background, and increases by one per pixel up to 7.
  /// The gap's color is taken from the left end, the right end, both ends or none. `out` has room for the gap's pixels.
  void (*_Nonnull smooth_hole)(size_t height, size_t width, size_t row, size_t start, size_t end, bool takes_left, bool takes_right, const uint8_t *_Nonnull pixels, const uint8_t *_Nonnull holes, uint8_t *_Nonnull out);

  /// Fills the holes of a view from earlier frames and stores this frame's content. The inputs of a pixel are a hole flag, the
  /// parallax level, and the nearest level around the pixel. The stored numbers of a pixel are the color, the level, and the
  /// state: unknown (0), invented (1) or seen (2). Levels at most `same` apart belong to one surface. `result` has the view's
  /// colors.
  void (*_Nonnull hole_history)(size_t n, uint8_t same, const uint8_t *_Nonnull holes, const uint8_t *_Nonnull levels, const uint8_t *_Nonnull nearest, uint8_t *_Nonnull colors, uint8_t *_Nonnull distances, uint8_t *_Nonnull known, uint8_t *_Nonnull result);
} ck_views_kernels;
#endif
