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

/// One implementation of every kernel.
typedef struct {
  /// y[i] = max(x[i], 0) for i in 0..<n, in place; a value that is not a number becomes 0.
  void (*_Nonnull relu)(size_t n, float *_Nonnull y);
  /// Resamples rows of interleaved RGB bytes along the row, weights in 1/2^22:
  /// y[r][3 i + c] = Σ_t weights[i·pitch + 3 t + c] · x[r][starts[i] + 3 t + c], rounded and clamped.
  /// Each weight stands there three times, once a channel; weights from `positions` up to `pitch`, a
  /// multiple of 48, are zero, and so many bytes of x are read from each start.
  void (*_Nonnull resample_rgb)(
      size_t rows, size_t count, const int32_t *_Nonnull starts, size_t positions, size_t pitch,
      const int32_t *_Nonnull weights, size_t stride_in, const uint8_t *_Nonnull x,
      size_t stride_out, uint8_t *_Nonnull y);
  /// y[i] = Σ_t weights[t] · x[t·stride + i] for i in 0..<n, weights in 1/2^22, rounded and clamped.
  void (*_Nonnull resample_rows)(
      size_t n, size_t taps, const int32_t *_Nonnull weights, size_t stride,
      const uint8_t *_Nonnull x, uint8_t *_Nonnull y);
} ck_kernels;

/// Whether this processor (and operating system) can run `isa`.
bool ck_is_supported(ck_isa isa);
/// The kernels of one instruction set. Call only sets that are supported.
const ck_kernels *_Nonnull ck_kernels_for(ck_isa isa);
#endif
