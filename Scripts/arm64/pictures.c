// Resampling, sums of rows and ranges.
#include "check.h"

#include <math.h>

/// Weights of a window in 1/2²², which sum to one; some are negative.
static void window(size_t taps, int32_t *weights, size_t step) {
  int32_t rest = 1 << 22;
  for (size_t t = 0; t + 1 < taps; t++) {
    weights[t * step] = (int32_t)below((1 << 22) / taps) - (1 << 22) / (int32_t)(8 * taps);
    rest -= weights[t * step];
  }
  weights[(taps - 1) * step] = rest;
}

static void check_resample_rgb(void) {
  const size_t rows = 1 + below(18), count = 1 + below(12), taps = 1 + below(9), width = 1 + below(20);
  const size_t positions = 3 * taps, pitch = (positions + 11) / 12 * 12, n = 3 * width;
  const size_t reach = n + pitch + 12, stride_in = n + below(5), stride_out = 3 * count + below(5);
  int32_t *starts = bytes_of(4 * count), *weights = bytes_of(4 * count * pitch);
  memset(weights, 0, 4 * count * pitch);
  for (size_t i = 0; i < count; i++) {
    starts[i] = (int32_t)(3 * below(width));
    int32_t own[9];
    window(taps, own, 1);
    for (size_t p = 0; p < positions; p++) weights[i * pitch + p] = own[p / 3];
  }
  const uint8_t *x = random_bytes((rows - 1) * stride_in + n);
  const size_t size = (rows - 1) * stride_out + 3 * count;
  uint8_t *a = random_bytes(size), *b = copy_of(a, size), *scratch = bytes_of(8 * (reach + 3 * count));
  tested->pictures.resample_rgb(rows, count, starts, positions, pitch, weights, n, stride_in, x, stride_out, a, reach,
                                scratch);
  plain->pictures.resample_rgb(rows, count, starts, positions, pitch, weights, n, stride_in, x, stride_out, b, reach,
                               scratch);
  expect_bytes("resample_rgb", a, b, size);
}

static void check_rows(void) {
  const size_t n = 1 + below(200), taps = 1 + below(9), stride = n + below(9);
  const uint8_t *x = random_bytes((taps - 1) * stride + n);
  int32_t weights[9];
  window(taps, weights, 1);
  uint8_t *a = bytes_of(n), *b = bytes_of(n);
  tested->pictures.resample_rows(n, taps, weights, stride, x, a);
  plain->pictures.resample_rows(n, taps, weights, stride, x, b);
  expect_bytes("resample_rows", a, b, n);

  const float *factors = random_floats(taps, -1, 1);
  float *y = bytes_of(4 * n), *z = bytes_of(4 * n);
  tested->pictures.weighted_bytes(n, taps, factors, x, stride, y);
  plain->pictures.weighted_bytes(n, taps, factors, x, stride, z);
  expect_floats("weighted_bytes", exact, y, z, n, 0);

  double *u = bytes_of(8 * n), *v = bytes_of(8 * n), *p = bytes_of(8 * n), *q = bytes_of(8 * n);
  for (size_t i = 0; i < n; i++) u[i] = (double)random_float(-1, 1), v[i] = (double)random_float(-1, 1);
  tested->pictures.blend_rows(n, 0.3, u, 0.7, v, p);
  plain->pictures.blend_rows(n, 0.3, u, 0.7, v, q);
  expect_bytes("blend_rows", p, q, 8 * n);
}

static void check_range(size_t number) {
  const size_t n = 1 + below(60);
  float *x = random_floats(n, -1, 4);
  for (size_t i = 0; i < n; i++) {
    if (below(4) == 0) x[i] = NAN;
    if (below(8) == 0) x[i] = INFINITY;
    if (number % 5 == 0) x[i] = -1;
  }
  struct {
    float low, high;
    uint64_t missing;
  } found[2];
  for (int i = 0; i < 2; i++) {
    size_t missing;
    (i ? plain : tested)->pictures.value_range(n, number % 2, x, &found[i].low, &found[i].high, &missing);
    found[i].missing = missing;
  }
  expect_bytes("value_range", &found[0], &found[1], sizeof found[0]);
}

void check_pictures(size_t number) {
  check_resample_rgb();
  check_rows();
  check_range(number);
}
