#ifndef CK_PLANES_H
#define CK_PLANES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The conversion of luma and chroma to RGB: factors in 2⁻²⁰ of a level per sixteenth of a sample.
typedef struct {
  /// Whether samples have two bytes, low byte first.
  bool wide;
  /// The samples of neutral chroma and of black.
  int32_t zero, black;
  int32_t luma, red_from_red, green_from_blue, green_from_red, blue_from_blue;
} ck_planes_to_rgb;

/// The conversion of RGB to luma and chroma.
typedef struct {
  /// Whether samples have two bytes, low byte first.
  bool wide;
  /// The samples of black and of neutral chroma, and the largest sample.
  int32_t black, zero, top;
  /// Luma per level of each color, in 2⁻²⁴ of a sample, not negative.
  int64_t red, green, blue;
  /// Weights of the light to which chroma is relative, in 2⁻²⁴ of a level.
  int64_t light_red, light_green, light_blue;
  /// Samples per level of difference from the light, in 2⁻²⁴.
  int32_t blue_scale, red_scale;
} ck_rgb_to_planes;

/// Kernels that convert between rows of interleaved RGB and rows of luma and chroma. All kernels use integers, so the bytes
/// are the same with every instruction set.
typedef struct {
  /// line[i] = (4 − share)·upper[i] + share·lower[i] − 4·zero for n samples of chroma.
  void (*_Nonnull chroma_between)(size_t n, const ck_planes_to_rgb *_Nonnull c, int32_t share,
                                  const uint8_t *_Nonnull upper, const uint8_t *_Nonnull lower,
                                  int32_t *_Nonnull line);

  /// pixels[step·i + p] = w[3p]·line[i − 1] + w[3p + 1]·line[i] + w[3p + 2]·line[i + 1], i < n, p < step; step is 1, 2
  /// or 4. `line` is readable one element beyond both ends.
  void (*_Nonnull chroma_across)(size_t n, size_t step, const int32_t *_Nonnull w,
                                 const int32_t *_Nonnull line, int32_t *_Nonnull pixels);

  /// Computes RGB of n pixels from luma samples, and from chroma in sixteenths of samples.
  void (*_Nonnull rgb_row)(size_t n, const ck_planes_to_rgb *_Nonnull c, const uint8_t *_Nonnull luma,
                           const int32_t *_Nonnull blue, const int32_t *_Nonnull red,
                           uint8_t *_Nonnull rgb);

  /// Luma of n pixels.
  void (*_Nonnull luma_row)(size_t n, const ck_rgb_to_planes *_Nonnull c, const uint8_t *_Nonnull rgb,
                            uint8_t *_Nonnull luma);

  /// Weighted sums of each color of n pixels over `count` rows, 1 to 4.
  void (*_Nonnull color_sums)(size_t n, size_t count, const uint8_t *_Nonnull const *_Nonnull rows,
                              const int32_t *_Nonnull weights, int32_t *_Nonnull red,
                              int32_t *_Nonnull green, int32_t *_Nonnull blue);

  /// Computes n samples of both chroma planes from sums of colors. Sample i is computed from Σ_t w[t]·sums[step·i + t], t <
  /// 4, which is sixteen times a color. `step` is 1, 2 or 4.
  void (*_Nonnull chroma_row)(size_t n, const ck_rgb_to_planes *_Nonnull c, size_t step,
                              const int32_t *_Nonnull w, const int32_t *_Nonnull red,
                              const int32_t *_Nonnull green, const int32_t *_Nonnull blue,
                              uint8_t *_Nonnull cb, uint8_t *_Nonnull cr);
} ck_planes_kernels;
#endif
