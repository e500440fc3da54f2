// Filters of PNG, forth and back.
#include "check.h"

#include <math.h>

static void check_samples(size_t number) {
  const size_t n = 1 + below(50);
  float *x = random_floats(n, -1, 9);
  for (size_t i = 0; i < n; i++)
    if (below(6) == 0) x[i] = below(2) ? NAN : INFINITY;
  uint8_t *a = bytes_of(2 * n), *b = bytes_of(2 * n);
  tested->png.png_samples16(n, number % 2, 0.1, number % 5 ? 0.001 : 0, x, a);
  plain->png.png_samples16(n, number % 2, 0.1, number % 5 ? 0.001 : 0, x, b);
  expect_bytes("png_samples16", a, b, 2 * n);
}

void check_png(size_t number) {
  check_samples(number);
  const size_t n = 1 + below(number % 4 ? 150 : 20000), bpp = 1 + below(8);
  const uint8_t *x = random_bytes(n), *above = random_bytes(n);
  uint8_t *a = bytes_of(n + 1), *b = bytes_of(n + 1);
  tested->png.png_filter(n, bpp, x, above, a);
  plain->png.png_filter(n, bpp, x, above, b);
  expect_bytes("png_filter", a, b, n + 1);

  const size_t rows = 1 + below(20), width = 1 + below(70), pitch = 1 + 2 * width;
  const uint8_t *samples = random_bytes(2 * rows * width), *nothing = calloc(2 * width, 1);
  uint8_t *found = bytes_of(rows * pitch), *expected = bytes_of(rows * pitch);
  for (size_t row = 0; row < rows; row++) {
    const uint8_t *line = samples + 2 * row * width, *before = row ? line - 2 * width : nothing;
    tested->png.png_filter16(2 * width, line, before, found + row * pitch);
    plain->png.png_filter16(2 * width, line, before, expected + row * pitch);
  }
  free((void *)nothing);
  expect_bytes("png_filter16", found, expected, rows * pitch);
}
