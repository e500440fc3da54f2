#ifndef CK_PICTURES_H
#define CK_PICTURES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Kernels for photos and maps: resampling, light, ranges and levels.
typedef struct {
  /// Resamples rows of n bytes of interleaved RGB along the row, with weights in 1/2^22: y[r][3 i + c] = Σ_t weights[i·pitch +
  /// 3 t + c] · x[r][starts[i] + 3 t + c], rounded and clamped. Each weight is stored three times, once per channel. Weights
  /// from `positions` to `pitch`, a multiple of 12, are zero. Windows may begin and end beyond the row's end, up to `reach` ≥ n
  /// bytes from its beginning. `scratch` has room for 8·(reach + 3·count) bytes.
  void (*_Nonnull resample_rgb)(
      size_t rows, size_t count, const int32_t *_Nonnull starts, size_t positions, size_t pitch,
      const int32_t *_Nonnull weights, size_t n, size_t stride_in, const uint8_t *_Nonnull x,
      size_t stride_out, uint8_t *_Nonnull y, size_t reach, uint8_t *_Nonnull scratch);

  /// y[i] = Σ_t weights[t] · x[t·stride + i] for i in 0..<n, rounded and clamped; weights are in 1/2^22.
  void (*_Nonnull resample_rows)(
      size_t n, size_t taps, const int32_t *_Nonnull weights, size_t stride,
      const uint8_t *_Nonnull x, uint8_t *_Nonnull y);

  /// y[i] = Σ_k weights[k] · x[k·step + i], added in the order of k from 0.
  void (*_Nonnull weighted_bytes)(size_t n, size_t count, const float *_Nonnull weights,
                                  const uint8_t *_Nonnull x, size_t step, float *_Nonnull y);

  /// Computes RGB bytes from a row of floats, 3 per pixel and one additional float: out[3 i + c] = Σ_t weights[i·taps + t] ·
  /// x[3 (first[i] + t) + c], added in the order of t from 0, rounded to nearest and at most 255. Sums are not negative.
  void (*_Nonnull average_row)(size_t count, size_t taps, const ptrdiff_t *_Nonnull first,
                               const float *_Nonnull weights, const float *_Nonnull x,
                               uint8_t *_Nonnull out);

  /// Four-tap sums as floats: y[3 i + c] = sum · factors[c] - offsets[c]. `factors` and `offsets` have four elements.
  void (*_Nonnull bicubic_row)(size_t count, const ptrdiff_t *_Nonnull first, const float *_Nonnull weights,
                               const float *_Nonnull factors, const float *_Nonnull offsets,
                               const float *_Nonnull x, float *_Nonnull y);

  /// Adds the light of a row of RGB to sums of four floats each, of which the last is padding: sums[4 i + c] += (share ·
  /// weights[i·taps + t]) · linear[rgb[3 (first[i] + t) + c]], added in the order of t from 0.
  void (*_Nonnull add_area)(size_t count, size_t taps, const ptrdiff_t *_Nonnull first,
                            const float *_Nonnull weights, float share, const float *_Nonnull linear,
                            const uint8_t *_Nonnull rgb, float *_Nonnull sums);

  /// Converts sums of light, 0…1, to the nearest bytes, and resets the sums to 0. Light is clamped to 2^-13…1. The upper 16
  /// bits of a float, counted from 2^-13, are an index of `codes`, the byte of the smallest light with these bits. `thresholds`
  /// has the smallest light of each byte, and infinity. At most one threshold is within the light of an index.
  void (*_Nonnull code_light)(size_t count, const uint8_t *_Nonnull codes, const float *_Nonnull thresholds,
                              float *_Nonnull sums, uint8_t *_Nonnull out);

  /// Mixes two rows of RGB in linear light. The sum of each byte's products, clamped to 0…steps and rounded, is an index of
  /// `coded`. `products` has six tables of 256 · 4 floats, for red, green and blue of `left` and of `right`; the last of each
  /// four floats is unused.
  void (*_Nonnull mix_row)(size_t count, const float *_Nonnull products, float steps,
                           const uint8_t *_Nonnull coded, const uint8_t *_Nonnull left,
                           const uint8_t *_Nonnull right, uint8_t *_Nonnull out);

  /// y[i] = a·u[i] + b·v[i].
  void (*_Nonnull blend_rows)(size_t n, double a, const double *_Nonnull u, double b,
                              const double *_Nonnull v, double *_Nonnull y);

  /// The smallest and largest finite value of x (with `positive`, only of positive values), and the number of other values.
  /// Without such values, the results are +infinity and -infinity.
  void (*_Nonnull value_range)(size_t n, bool positive, const float *_Nonnull x,
                               float *_Nonnull low, float *_Nonnull high,
                               size_t *_Nonnull missing);

  /// y[i] = (v - low) · scale with v = x[i] or its reciprocal, rounded and clamped to 0…steps. The level is `missing` if x[i]
  /// is not finite, or with `positive` not above 0. NaN levels become 0. `steps` is below 2¹⁶.
  void (*_Nonnull levels)(size_t n, bool positive, bool reciprocal, float low, float scale, float steps,
                          uint16_t missing, const float *_Nonnull x, uint16_t *_Nonnull y);

  /// out[3 i + c] = colors[4 levels[i] + c].
  void (*_Nonnull color_levels)(size_t n, const uint8_t *_Nonnull colors, const uint16_t *_Nonnull levels,
                                uint8_t *_Nonnull out);
} ck_pictures_kernels;
#endif
