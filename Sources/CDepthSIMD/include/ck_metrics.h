#ifndef CK_METRICS_H
#define CK_METRICS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sums over pixels of a predicted depth map; see templates/metrics/depth_errors.h.
typedef struct {
  double relative, squared, log, absolute_log, squared_log;
  /// The number of evaluated pixels, and the numbers of pixels within a factor of 1.25, 1.25² and 1.25³ of the
  /// truth.
  uint64_t count, within[3];
} ck_depth_errors;

/// Kernels that compare a predicted with a true depth map.
typedef struct {
  /// Adds to `sums` the errors of n predicted depths p, positive and finite, against true depths y. Only pixels
  /// with a true depth strictly between `nearest`, at least 0, and `farthest` are evaluated.
  void (*_Nonnull depth_errors)(size_t n, const double *_Nonnull p, const float *_Nonnull y,
                                float nearest, float farthest, ck_depth_errors *_Nonnull sums);

  /// Writes the ascending i < n where p[i] and q[i], or y[i] and z[i], differ by more than a factor of `ratio`,
  /// and returns their number. `indices` has room for n.
  size_t (*_Nonnull edge_candidates)(size_t n, const float *_Nonnull p, const float *_Nonnull q,
                                     const float *_Nonnull y, const float *_Nonnull z, float ratio,
                                     uint32_t *_Nonnull indices);

  /// y[i] = x[i], rounded.
  void (*_Nonnull round_row)(size_t n, const double *_Nonnull x, float *_Nonnull y);
} ck_metrics_kernels;
#endif
