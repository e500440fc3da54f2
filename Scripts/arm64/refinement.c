// The joint bilateral filter and joint upsampling. Kernels read and write whole vectors, up to 16 floats beyond the ends.
#include "check.h"

enum { slack = 16 };

static void check_filter(void) {
  const size_t n = 1 + below(60), radius = 1 + below(4), pitch = n + 2 * radius + slack, rows = 2 * radius + 1;
  const float *planes[5];
  for (int i = 0; i < 5; i++) planes[i] = random_floats(rows * pitch, i < 3 ? 0 : i == 3 ? 1 : 0.5f, i < 3 ? 6 : 5);
  const size_t at = radius * pitch + radius;
  const ck_guided_row row = {planes[0] + at, planes[1] + at, planes[2] + at, planes[3] + at, planes[4] + at, pitch};
  const float *decay = random_floats(rows, -3, 0);
  float *a = bytes_of(4 * n), *b = bytes_of(4 * n);
  tested->refinement.joint_bilateral(n, radius, decay, row, a);
  plain->refinement.joint_bilateral(n, radius, decay, row, b);
  expect_floats("joint_bilateral", exact, a, b, n, 0);

  const size_t count = 1 + below(9);
  const float *x = random_floats((count - 1) * n + n + slack, -1, 1), *weights = random_floats(count, -1, 1);
  tested->refinement.weighted_sum(n, count, weights, x, (ptrdiff_t)n, a);
  plain->refinement.weighted_sum(n, count, weights, x, (ptrdiff_t)n, b);
  expect_floats("weighted_sum", exact, a, b, n, 0);

  const uint8_t *rgb = random_bytes(3 * n);
  float *found = bytes_of(12 * n), *expected = bytes_of(12 * n);
  tested->refinement.planar(n, 1.0f / 255, rgb, found, found + n, found + 2 * n);
  plain->refinement.planar(n, 1.0f / 255, rgb, expected, expected + n, expected + 2 * n);
  expect_floats("planar", exact, found, expected, 3 * n, 0);
}

static void check_upsampling(size_t number) {
  const size_t n = 1 + below(90), taps = number % 2 ? 4 : 2, track = n + slack;
  int32_t *cells = bytes_of(4 * track);
  cells[0] = 0;
  for (size_t x = 1; x < track; x++) cells[x] = cells[x - 1] + (below(4) == 0);
  const size_t columns = (size_t)cells[track - 1] + taps, pitch = columns + slack;
  float *rows[4];
  for (size_t j = 0; j < taps; j++) {
    rows[j] = random_floats(5 * pitch + slack, 0, 4);
    float *value = rows[j] + 3 * pitch, *weight = rows[j] + 4 * pitch;
    // Flat for the most part, with steps, so that both ways through the kernel are taken.
    for (size_t i = 0; i < pitch; i++) {
      value[i] = below(12) == 0 ? random_float(1, 5) : i ? value[i - 1] : 2;
      weight[i] = 1;
    }
  }
  if (taps == 2) memcpy(rows[1] + 3 * pitch, rows[0] + 3 * pitch, 4 * pitch);
  float *edges = bytes_of(4 * (columns + slack)), *other = bytes_of(4 * (columns + slack));
  memset(edges, 0, 4 * (columns + slack)), memset(other, 0, 4 * (columns + slack));
  tested->refinement.edge_cells(columns, pitch, rows[0], rows[1], edges);
  plain->refinement.edge_cells(columns, pitch, rows[0], rows[1], other);
  expect_bytes("edge_cells", edges, other, 4 * columns);

  const ck_coarse_window window = {.rows = (const float *const *)rows, .pitch = pitch, .cells = cells, .track = track,
                                   .window_y = random_floats(taps, 0.1f, 1), .edges = edges,
                                   .window_x = random_floats(taps * track + slack, 0.1f, 1),
                                   .flat = bytes_of(4 * (2 * pitch + slack))};
  const uint8_t *rgb = random_bytes(3 * n);
  float *a = bytes_of(4 * n), *b = bytes_of(4 * n);
  const bool reciprocal = below(2);
  tested->refinement.joint_upsample(n, taps, window, 0.02f, rgb, reciprocal, a);
  plain->refinement.joint_upsample(n, taps, window, 0.02f, rgb, reciprocal, b);
  expect_floats("joint_upsample", exact, a, b, n, 0);
}

void check_refinement(size_t number) {
  check_filter();
  check_upsampling(number);
}
