// Lines of views: parallax, warp, holes and colors. Whole numbers only.
#include "check.h"

enum { margin = 64 };

static int32_t *smooth_line(size_t n, int32_t limit) {
  int32_t *line = bytes_of(4 * n), value = (int32_t)below(64);
  for (size_t i = 0; i < n; i++) {
    value += (int32_t)below(9) - 4;
    if (below(15) == 0) value = (int32_t)below(2 * (size_t)limit) - limit;
    line[i] = value = value > limit ? limit : value < -limit ? -limit : value;
  }
  return line;
}

static void check_lines(size_t number) {
  const size_t n = 1 + below(90);
  const float *depth = random_floats(n, 0.3f, 9);
  int32_t *a = bytes_of(4 * n), *b = bytes_of(4 * n);
  tested->views.parallax_line(n, number % 2, 400, -30, 500, depth, a);
  plain->views.parallax_line(n, number % 2, 400, -30, 500, depth, b);
  expect_bytes("parallax_line", a, b, 4 * n);

  const int32_t *x = smooth_line(n, 900);
  tested->views.line_maximum(n, x, a);
  plain->views.line_maximum(n, x, b);
  expect_bytes("line_maximum", a, b, 4 * n);

  const size_t radius = below(6);
  const int32_t *highest = smooth_line(n + 2 * radius, 900) + radius;
  tested->views.widen_line(n, (ptrdiff_t)radius, 12, highest, x, a);
  plain->views.widen_line(n, (ptrdiff_t)radius, 12, highest, x, b);
  expect_bytes("widen_line", a, b, 4 * n);

  tested->views.eye_line(n, 117, number % 2, x, a);
  plain->views.eye_line(n, 117, number % 2, x, b);
  expect_bytes("eye_line", a, b, 4 * n);
}

static void check_warp(size_t number) {
  const size_t n = 2 + below(120);
  const int32_t *shift = smooth_line(n, 40 * 64), stretch = number % 3 ? 128 : 64;
  int32_t *sources[2];
  for (int i = 0; i < 2; i++) {
    sources[i] = bytes_of(4 * (n + 2 * margin));
    memset(sources[i], 0xFF, 4 * (n + 2 * margin));
    (i ? plain : tested)->views.warp_line((ptrdiff_t)n, stretch, shift, sources[i] + margin);
  }
  expect_bytes("warp_line", sources[0], sources[1], 4 * (n + 2 * margin));

  const int32_t *source = copy_of(sources[1] + margin, 4 * n);
  int32_t *a = bytes_of(4 * n), *b = bytes_of(4 * n);
  tested->views.mirror_source(n, source, a);
  plain->views.mirror_source(n, source, b);
  expect_bytes("mirror_source", a, b, 4 * n);

  uint8_t *mask = bytes_of(n), *other = bytes_of(n);
  const uint64_t holes[2] = {tested->views.hole_line(n, source, mask), plain->views.hole_line(n, source, other)};
  expect_bytes("hole_line", mask, other, n);
  expect_bytes("hole_line, count", &holes[0], &holes[1], sizeof holes[0]);

  const uint8_t *row = random_bytes(3 * (n + 3) + 4);
  int16_t *weights = bytes_of(2 * 64 * 16);
  for (size_t i = 0; i < 64 * 16; i++) weights[i] = (int16_t)((int)below(41) - 8);
  int32_t *positions = bytes_of(4 * n);
  for (size_t i = 0; i < n; i++) positions[i] = below(9) == 0 ? -1 : (int32_t)below(64 * (n - 1) + 1);
  uint8_t *rgb = bytes_of(3 * n), *expected = bytes_of(3 * n);
  tested->views.sample_line(n, row, weights, positions, rgb);
  plain->views.sample_line(n, row, weights, positions, expected);
  expect_bytes("sample_line", rgb, expected, 3 * n);
}

static void check_history(size_t number) {
  const size_t n = 1 + below(number % 3 ? 200 : 1000);
  int32_t *parallax = smooth_line(n, 40 * 64), *source = bytes_of(4 * n);
  for (size_t i = 0; i < n; i++) source[i] = below(9) == 0 ? -1 : (int32_t)below(64 * (n - 1) + 1);
  uint8_t *levels = bytes_of(n), *expected = bytes_of(n);
  const int32_t step = 1 + (int32_t)below(90);
  tested->views.level_line(n, step, parallax, source, levels);
  plain->views.level_line(n, step, parallax, source, expected);
  expect_bytes("level_line", levels, expected, n);

  const size_t radius = below(20);
  uint8_t *nearest = bytes_of(n), *scratch = bytes_of(2 * (n + 2 * radius));
  tested->views.widen_bytes(n, radius, levels, nearest, scratch);
  plain->views.widen_bytes(n, radius, levels, expected, scratch);
  expect_bytes("widen_bytes", nearest, expected, n);

  uint8_t *holes = bytes_of(n), *known = bytes_of(n);
  for (size_t i = 0; i < n; i++) {
    // Runs without holes, of what was seen.
    holes[i] = i / 100 % 2 && below(4) == 0 ? 255 : 0;
    known[i] = i / 100 % 2 ? (uint8_t)below(3) : 2;
  }
  const uint8_t *colors = random_bytes(3 * n), *distances = random_bytes(n), *view = random_bytes(3 * n);
  void *found[2][4];
  for (int i = 0; i < 2; i++) {
    found[i][0] = copy_of(colors, 3 * n);
    found[i][1] = copy_of(number % 2 ? levels : distances, n);
    found[i][2] = copy_of(known, n);
    found[i][3] = copy_of(view, 3 * n);
    (i ? plain : tested)
        ->views.hole_history(n, 20, holes, levels, nearest, found[i][0], found[i][1], found[i][2], found[i][3]);
  }
  expect_bytes("hole_history, colors", found[0][0], found[1][0], 3 * n);
  expect_bytes("hole_history, levels", found[0][1], found[1][1], n);
  expect_bytes("hole_history, known", found[0][2], found[1][2], n);
  expect_bytes("hole_history, view", found[0][3], found[1][3], 3 * n);
}

void check_views(size_t number) {
  check_history(number);
  check_lines(number);
  check_warp(number);
}
