// Functions of one value, and the layers of transformers.
#include "check.h"

#include <math.h>

static void check_functions(size_t number) {
  const size_t count = 1 + below(40);
  float *x = random_floats(count, -100, 100), *a = bytes_of(4 * count), *b = bytes_of(4 * count);
  if (number % 3 == 0) x[0] = -INFINITY, x[count - 1] = INFINITY;
  tested->network.exponential(count, x, a);
  plain->network.exponential(count, x, b);
  expect_floats("exponential", exact, a, b, count, 0);
  for (size_t i = 0; i < count; i++) b[i] = (float)exp(fmin(fmax((double)x[i], -87), 88));
  bool is_near = true;
  for (size_t i = 0; i < count; i++) is_near &= fabsf(a[i] - b[i]) <= 3e-7f * b[i];
  const uint8_t yes = 1, found = is_near;
  expect_bytes("exponential, formula", &found, &yes, 1);

  tested->network.sigmoid(count, 3, x, a);
  plain->network.sigmoid(count, 3, x, b);
  expect_floats("sigmoid", exact, a, b, count, 0);

  const size_t rows = 1 + below(3), columns = 1 + below(40), stride = columns + below(3);
  const size_t all = (rows - 1) * stride + columns;
  float *y = random_floats(all, -6, 6), *z = copy_of(y, 4 * all);
  tested->network.gelu(rows, columns, y, stride);
  plain->network.gelu(rows, columns, z, stride);
  expect_floats("gelu", exact, y, z, all, 0);
}

static void check_layer_norm(void) {
  const size_t rows = 1 + below(4), channels = 1 + below(70), stride = channels + below(3);
  const size_t all = (rows - 1) * stride + channels;
  const float *x = random_floats(all, -5, 5), *gamma = random_floats(channels, -1, 1), *beta = random_floats(channels, -1, 1);
  float *a = random_floats(all, 0, 1), *b = copy_of(a, 4 * all);
  tested->network.layer_norm(rows, channels, x, stride, gamma, beta, 1e-6f, a, stride);
  plain->network.layer_norm(rows, channels, x, stride, gamma, beta, 1e-6f, b, stride);
  expect_floats("layer_norm", sums, a, b, all, 1e-4);
}

static void check_softmax(void) {
  const size_t rows = 1 + below(4), width = 1 + below(70);
  float *maxima[2], *totals[2], *outputs[2];
  for (int i = 0; i < 2; i++) {
    maxima[i] = bytes_of(4 * rows), totals[i] = bytes_of(4 * rows), outputs[i] = bytes_of(4 * rows * width);
    memset(totals[i], 0, 4 * rows), memset(outputs[i], 0, 4 * rows * width);
    for (size_t r = 0; r < rows; r++) maxima[i][r] = -INFINITY;
  }
  for (int block = 0; block < 3; block++) {
    const size_t columns = 1 + below(70), stride = columns + below(3), all = (rows - 1) * stride + columns;
    float *s = random_floats(all, -20, 20), *t = copy_of(s, 4 * all);
    const float *scales = block == 1 ? random_floats(rows, 0.5, 2) : NULL;
    for (int i = 0; i < 2; i++) {
      const ck_softmax softmax = {
          .rows = rows, .columns = columns, .scores = i == 0 ? s : t, .score_stride = stride, .scale = 0.125f, .scales = scales,
          .maxima = maxima[i], .sums = totals[i], .results = outputs[i], .result_stride = width, .result_columns = width};
      (i == 0 ? tested : plain)->network.running_softmax(&softmax);
    }
    expect_floats("running_softmax", fused, s, t, all, 1e-6);
    expect_floats("running_softmax, maxima", exact, maxima[0], maxima[1], rows, 0);
    expect_floats("running_softmax, sums", sums, totals[0], totals[1], rows, 1e-5);
    expect_floats("running_softmax, results", fused, outputs[0], outputs[1], rows * width, 1e-5);
    for (size_t i = 0; i < rows * width; i++) outputs[1][i] = outputs[0][i] += random_float(-1, 1);
  }
}

void check_tokens(size_t number) {
  check_functions(number);
  check_layer_norm();
  check_softmax();
}
