// Rows of RGB to luma and chroma, and back. Whole numbers only.
#include "check.h"

static void check_reading(size_t number) {
  const size_t n = 1 + below(90), step = (size_t)1 << below(3);
  const bool wide = number % 2;
  const size_t bytes = wide ? 2 : 1;
  const ck_planes_to_rgb c = {wide,  wide ? 512 : 128,       wide ? 64 : 16, wide ? 19077 : 76309, wide ? 26149 : 104597,
                              wide ? -6419 : -25675, wide ? -13320 : -53279, wide ? 33050 : 132201};
  uint8_t *rows[3];
  for (int i = 0; i < 3; i++) {
    const size_t count = i == 2 ? n * step : n;
    rows[i] = random_bytes(bytes * count);
    if (wide)
      for (size_t k = 0; k < count; k++) rows[i][2 * k + 1] &= 3;
  }
  int32_t *lines[2];
  for (int i = 0; i < 2; i++) {
    lines[i] = bytes_of(4 * (n + 2));
    (i ? plain : tested)->planes.chroma_between(n, &c, (int32_t)(number % 4), rows[0], rows[1], lines[i] + 1);
  }
  expect_bytes("chroma_between", lines[0] + 1, lines[1] + 1, 4 * n);
  lines[1][0] = lines[1][1];
  lines[1][n + 1] = lines[1][n];

  int32_t weights[12];
  for (size_t i = 0; i < 12; i++) weights[i] = (int32_t)below(5);
  int32_t *a = bytes_of(4 * n * step), *b = bytes_of(4 * n * step);
  tested->planes.chroma_across(n, step, weights, lines[1] + 1, a);
  plain->planes.chroma_across(n, step, weights, lines[1] + 1, b);
  expect_bytes("chroma_across", a, b, 4 * n * step);

  const size_t pixels = n * step - below(step);
  const uint8_t *luma = copy_of(rows[2], bytes * pixels);
  uint8_t *rgb = bytes_of(3 * pixels), *other = bytes_of(3 * pixels);
  // Sixteenths: the weights of a pixel have the sum 4.
  for (size_t i = 0; i < n * step; i++) b[i] = (int32_t)below(wide ? 16384 : 4096) - (wide ? 8192 : 2048);
  tested->planes.rgb_row(pixels, &c, luma, b, b, rgb);
  plain->planes.rgb_row(pixels, &c, luma, b, b, other);
  expect_bytes("rgb_row", rgb, other, 3 * pixels);
}

static void check_writing(size_t number) {
  const size_t n = 1 + below(150), step = (size_t)1 << below(3), count = 1 + below(4);
  const bool wide = number % 2;
  const size_t bytes = wide ? 2 : 1, deeper = wide ? 4 : 1;
  const ck_rgb_to_planes c = {wide,
                              (int32_t)(16 * deeper),
                              (int32_t)(128 * deeper),
                              wide ? 1023 : 255,
                              (int64_t)deeper * 4308062,
                              (int64_t)deeper * 8457736,
                              (int64_t)deeper * 1642631,
                              5016388,
                              9848226,
                              1912602,
                              (int32_t)deeper * 8316898,
                              (int32_t)deeper * 10511744};
  const uint8_t *rows[4];
  for (size_t i = 0; i < 4; i++) rows[i] = random_bytes(3 * n);
  uint8_t *a = bytes_of(bytes * n), *b = bytes_of(bytes * n);
  tested->planes.luma_row(n, &c, rows[0], a);
  plain->planes.luma_row(n, &c, rows[0], b);
  expect_bytes("luma_row", a, b, bytes * n);

  static const int32_t weights[5][4] = {{4}, {2, 2}, {1, 2, 1}, {1, 1, 1, 1}};
  int32_t *sums[2][3];
  for (int i = 0; i < 2; i++) {
    for (int color = 0; color < 3; color++) {
      // A window reaches three elements behind the last.
      sums[i][color] = bytes_of(4 * (n + 3));
      memset(sums[i][color], 0, 4 * (n + 3));
    }
    (i ? plain : tested)
        ->planes.color_sums(n, count, rows, weights[count - 1], sums[i][0], sums[i][1], sums[i][2]);
  }
  for (int color = 0; color < 3; color++) expect_bytes("color_sums", sums[0][color], sums[1][color], 4 * n);

  const size_t samples = (n + step - 1) / step;
  uint8_t *chroma[4];
  for (int i = 0; i < 4; i++) chroma[i] = bytes_of(bytes * samples);
  tested->planes.chroma_row(samples, &c, step, weights[step - 1], sums[1][0], sums[1][1], sums[1][2], chroma[0], chroma[1]);
  plain->planes.chroma_row(samples, &c, step, weights[step - 1], sums[1][0], sums[1][1], sums[1][2], chroma[2], chroma[3]);
  expect_bytes("chroma_row", chroma[0], chroma[2], bytes * samples);
  expect_bytes("chroma_row", chroma[1], chroma[3], bytes * samples);
}

void check_planes(size_t number) {
  check_reading(number);
  check_writing(number);
}
