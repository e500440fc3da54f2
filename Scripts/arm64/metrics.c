// Errors of maps, and places where they may jump.
#include "check.h"

void check_metrics(size_t number) {
  const size_t n = 1 + below(number % 4 ? 60 : 2000);
  double *p = bytes_of(8 * n);
  for (size_t i = 0; i < n; i++) p[i] = (double)random_float(0.3f, 9);
  const float *y = random_floats(n, 0, 11);
  ck_depth_errors errors[2] = {{.relative = 1}, {.relative = 1}};
  tested->metrics.depth_errors(n, p, y, 0.5f, 10, &errors[0]);
  plain->metrics.depth_errors(n, p, y, 0.5f, 10, &errors[1]);
  expect_doubles("depth_errors", &errors[0].relative, &errors[1].relative, 5, 1e-12);
  expect_bytes("depth_errors, counts", &errors[0].count, &errors[1].count, 4 * sizeof errors[0].count);

  const float *planes[4];
  for (int i = 0; i < 4; i++) planes[i] = random_floats(n, 1, 1.3f);
  uint32_t *a = bytes_of(4 * n), *b = bytes_of(4 * n);
  const size_t found = tested->metrics.edge_candidates(n, planes[0], planes[1], planes[2], planes[3], 1.2f, a);
  const size_t expected = plain->metrics.edge_candidates(n, planes[0], planes[1], planes[2], planes[3], 1.2f, b);
  const uint64_t counts[2] = {found, expected};
  expect_bytes("edge_candidates, count", &counts[0], &counts[1], 8);
  expect_bytes("edge_candidates", a, b, 4 * (found < expected ? found : expected));

  float *rounded = bytes_of(4 * n), *other = bytes_of(4 * n);
  tested->metrics.round_row(n, p, rounded);
  plain->metrics.round_row(n, p, other);
  expect_floats("round_row", exact, rounded, other, n, 0);
}
