// Winograd's transforms.
#include "check.h"

static void check_tiles(int form, size_t m) {
  // form: 0 a convolution, 1 an up-convolution.
  const size_t height = 1 + below(11), width = 1 + below(11), channels = 1 + below(20), images = 1 + below(2);
  const size_t positions = form ? (2 * m + 3) * (2 * m + 3) : (m + 2) * (m + 2), pixel = channels + below(3);
  const size_t rows = (height + m - 1) / m, columns = (width + m - 1) / m, tiles = rows * columns * images;
  const size_t tile_stride = channels + below(3);
  const ck_tiles t = {.height = height, .width = width, .channels = channels, .tile_rows = rows, .tile_columns = columns,
                      .pixel_stride = pixel, .tile_stride = tile_stride, .position_stride = tiles * tile_stride + below(3),
                      .two_tap_offset = below(2), .phase_stride = channels + below(3)};
  const float *x = random_floats((images * height * width - 1) * pixel + channels, -1, 1);
  const size_t matrix = (positions - 1) * t.position_stride + (tiles - 1) * tile_stride + channels;
  float *a = random_floats(matrix, -1, 1), *b = copy_of(a, 4 * matrix);
  (form ? tested->network.up_convolution_input : tested->network.winograd_input)[m / 4](&t, 0, tiles, x, a);
  (form ? plain->network.up_convolution_input : plain->network.winograd_input)[m / 4](&t, 0, tiles, x, b);
  static const char *const names[] = {"winograd_input", "up_convolution_input", "winograd_output", "up_convolution_output"};
  expect_floats(names[form], fused, a, b, matrix, 1e-4);

  const size_t pixels = images * height * width * (form ? 4 : 1), count = (pixels - 1) * pixel + channels;
  const ck_epilogue e = {.bias = random_floats(3 * t.phase_stride + channels, -1, 1),
                         .lower_bound = below(2) ? random_floats(channels, -1, 0) : NULL,
                         .residual = below(2) ? random_floats(count, -1, 1) : NULL, .residual_stride = pixel};
  float *y = random_floats(count, 0, 1), *z = copy_of(y, 4 * count);
  (form ? tested->network.up_convolution_output : tested->network.winograd_output)[m / 4](&t, 0, tiles, a, y, &e);
  (form ? plain->network.up_convolution_output : plain->network.winograd_output)[m / 4](&t, 0, tiles, a, z, &e);
  expect_floats(names[2 + form], fused, y, z, count, 1e-4);
}

static void check_kernel(size_t th, size_t tw, size_t m) {
  const size_t rows = m + th - 1, columns = m + tw - 1, lanes = 32;
  double *g_rows = bytes_of(8 * rows * th), *g_columns = bytes_of(8 * columns * tw);
  for (size_t i = 0; i < rows * th; i++) g_rows[i] = (double)random_float(-1, 1);
  for (size_t i = 0; i < columns * tw; i++) g_columns[i] = (double)random_float(-1, 1);
  const float *taps = random_floats(th * tw * lanes, -1, 1);
  float *results[2] = {bytes_of(4 * rows * columns * lanes), bytes_of(4 * rows * columns * lanes)};
  for (int i = 0; i < 2; i++) {
    const ck_kernels *set = i ? plain : tested;
    const size_t width = set->network.panel_width;
    float *own = bytes_of(4 * th * tw * width);
    for (size_t c = 0; c < lanes; c += width) {
      for (size_t k = 0; k < th * tw; k++) memcpy(own + k * width, taps + k * lanes + c, 4 * width);
      set->network.winograd_kernel(th, tw, rows, columns, g_rows, g_columns, own, results[i] + c, columns * lanes, lanes);
    }
  }
  expect_floats("winograd_kernel", exact, results[0], results[1], rows * columns * lanes, 0);
}

void check_winograd(size_t number) {
  (void)number;
  for (size_t m = 2; m <= 4; m += 2) {
    for (int form = 0; form < 2; form++) check_tiles(form, m);
    for (size_t th = 2; th <= 3; th++)
      for (size_t tw = 2; tw <= 3; tw++) check_kernel(th, tw, m);
  }
}
