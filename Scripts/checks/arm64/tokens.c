// Functions of one value, and the layers of transformers.
#include "check.h"

static void check_functions(size_t number) {
  const size_t count = 1 + below(40);
  float *x = random_floats(count, -100, 100);
  if (number % 3 == 0) x[0] = -INFINITY, x[count - 1] = INFINITY;
  const float *found = BOTH("exponential", exact, x, count, 0, k->network.exponential(count, x, y));
  uint8_t is_near = 1, yes = 1;
  for (size_t i = 0; i < count; i++) {
    const float formula = (float)exp(fmin(fmax((double)x[i], -87), 88));
    is_near &= fabsf(found[i] - formula) <= 3e-7f * formula;
  }
  expect_bytes("exponential, formula", &is_near, &yes, 1);
  BOTH("sigmoid", exact, x, count, 0, k->network.sigmoid(count, 3, x, y));

  const size_t rows = 1 + below(3), columns = 1 + below(40), stride = columns + below(3);
  const size_t all = (rows - 1) * stride + columns;
  BOTH("gelu", exact, random_floats(all, -6, 6), all, 0, k->network.gelu(rows, columns, y, stride));
}

static void check_layer_norm(void) {
  const size_t rows = 1 + below(4), channels = 1 + below(70), stride = channels + below(3);
  const size_t all = (rows - 1) * stride + channels;
  const float *x = random_floats(all, -5, 5), *gamma = random_floats(channels, -1, 1), *beta = random_floats(channels, -1, 1);
  BOTH("layer_norm", sums, random_floats(all, 0, 1), all, 1e-4,
       k->network.layer_norm(rows, channels, x, stride, gamma, beta, 1e-6f, y, stride));
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
