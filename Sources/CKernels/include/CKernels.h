#ifndef CKERNELS_H
#define CKERNELS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Instruction sets, slowest first.
typedef enum __attribute__((enum_extensibility(closed), swift_name("InstructionSet"))) {
  ck_baseline __attribute__((swift_name("baseline"))) = 0,
  ck_avx2 __attribute__((swift_name("avx2"))) = 1,
  ck_avx512 __attribute__((swift_name("avx512"))) = 2,
} ck_isa;

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
  /// y[i] = max(x[i], 0) for i in 0..<n, in place; a value that is not a number becomes 0.
  void (*_Nonnull relu)(size_t n, float *_Nonnull y);

  /// Joint bilateral filter of one row of `n` pixels; `decay` has 2·radius+1 base-2 logarithms of the
  /// spatial Gaussian along one axis. A pixel whose window holds no weight becomes 0.
  void (*_Nonnull joint_bilateral)(size_t n, size_t radius, const float *_Nonnull decay,
                                   ck_guided_row row, float *_Nonnull out);

  /// Joint bilateral upsampling of one row of `n` pixels from a taps × taps window: `rows[j]` has five
  /// planes (red, green, blue, value·weight, weight) of `taps` tracks of `pitch` floats, `window_x`
  /// has `taps` such tracks. With `reciprocal` the quotient is turned over.
  void (*_Nonnull joint_upsample)(size_t n, size_t taps,
                                  const float *_Nonnull const *_Nonnull rows, size_t pitch,
                                  const float *_Nonnull window_y, const float *_Nonnull window_x,
                                  const float *_Nonnull red, const float *_Nonnull green,
                                  const float *_Nonnull blue, bool reciprocal,
                                  float *_Nonnull out);

  /// Interleaved bytes to three planes of floats, each times `scale`.
  void (*_Nonnull planar)(size_t n, float scale, const uint8_t *_Nonnull rgb, float *_Nonnull red,
                          float *_Nonnull green, float *_Nonnull blue);

  /// y[i] += weight · x[i].
  void (*_Nonnull accumulate_bytes)(size_t n, float weight, const uint8_t *_Nonnull x,
                                    float *_Nonnull y);

  /// y[i] = Σ_k weights[k] · x[i + k·step]; reads up to 16 floats beyond the last.
  void (*_Nonnull weighted_sum)(size_t n, size_t count, const float *_Nonnull weights,
                                const float *_Nonnull x, ptrdiff_t step, float *_Nonnull y);
} ck_kernels;

/// Whether this processor (and operating system) can run `isa`.
bool ck_is_supported(ck_isa isa);
/// The kernels of one instruction set. Call only sets that are supported.
const ck_kernels *_Nonnull ck_kernels_for(ck_isa isa);
#endif
