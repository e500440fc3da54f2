#ifndef CK_PICTURES_H
#define CK_PICTURES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Kernels on photos and maps: resampling and ranges.
typedef struct {
  /// Resamples rows of interleaved RGB along the row, n bytes each, weights in 1/2^22:
  /// y[r][3 i + c] = Σ_t weights[i·pitch + 3 t + c] · x[r][starts[i] + 3 t + c], rounded and
  /// clamped. Each weight is there three times, once per channel; weights from `positions` up to
  /// `pitch`, a multiple of 12, are zero. Windows may begin and end beyond the row's end, up to
  /// `reach`, at least n, bytes from its beginning. `scratch` has room for 8·(reach + 3·count)
  /// bytes.
  void (*_Nonnull resample_rgb)(
      size_t rows, size_t count, const int32_t *_Nonnull starts, size_t positions, size_t pitch,
      const int32_t *_Nonnull weights, size_t n, size_t stride_in, const uint8_t *_Nonnull x,
      size_t stride_out, uint8_t *_Nonnull y, size_t reach, uint8_t *_Nonnull scratch);

  /// y[i] = Σ_t weights[t] · x[t·stride + i] for i in 0..<n, weights in 1/2^22, rounded and
  /// clamped.
  void (*_Nonnull resample_rows)(
      size_t n, size_t taps, const int32_t *_Nonnull weights, size_t stride,
      const uint8_t *_Nonnull x, uint8_t *_Nonnull y);

  /// y[i] = Σ_k weights[k] · x[k·step + i], k in order from 0.
  void (*_Nonnull weighted_bytes)(size_t n, size_t count, const float *_Nonnull weights,
                                  const uint8_t *_Nonnull x, size_t step, float *_Nonnull y);

  /// y[i] = a·u[i] + b·v[i].
  void (*_Nonnull blend_rows)(size_t n, double a, const double *_Nonnull u, double b,
                              const double *_Nonnull v, double *_Nonnull y);

  /// Smallest and largest of the finite values of x (with `positive`, of the positive ones), and
  /// how many others there are; +infinity and -infinity when there are no such values.
  void (*_Nonnull value_range)(size_t n, bool positive, const float *_Nonnull x,
                               float *_Nonnull low, float *_Nonnull high,
                               size_t *_Nonnull missing);
} ck_pictures_kernels;
#endif
