// Products, pooling, depthwise convolutions and resizing of the network.
#include "check.h"

static ck_epilogue random_epilogue(size_t rows, size_t columns) {
  ck_epilogue e = {0};
  if (below(2)) e.bias = random_floats(columns, -1, 1);
  if (below(2)) e.lower_bound = random_floats(columns, -1, 0);
  if (below(2)) {
    e.residual_stride = columns + below(3);
    e.residual = random_floats((rows - 1) * e.residual_stride + columns, -1, 1);
  }
  if (below(3) == 0) e.upper_bound = 0.5f;
  return e;
}

/// B in the panels of a set.
static float *packed(const ck_kernels *set, const float *b, size_t depth, size_t columns) {
  const size_t width = set->network.panel_width, panels = (columns + width - 1) / width;
  float *p = bytes_of(panels * depth * width * sizeof *p);
  for (size_t panel = 0; panel < panels; panel++) {
    const size_t first = panel * width, left = columns - first;
    set->network.pack_panel(depth, left < width ? left : width, b + first * depth, depth, 1,
                            p + panel * depth * width, width);
  }
  return p;
}

static void check_gemm(size_t number) {
  const size_t rows = 1 + below(20), depth = 1 + below(number % 4 ? 40 : 300), columns = 1 + below(40);
  const size_t a_stride = depth + below(3), c_stride = columns + below(3);
  const float *a = random_floats((rows - 1) * a_stride + depth, -1, 1), *b = random_floats(depth * columns, -1, 1);
  const ck_epilogue e = random_epilogue(rows, columns);
  const size_t count = (rows - 1) * c_stride + columns;
  float *start = random_floats(count, -9, 9);
  ck_gemm call = {.rows = rows, .depth = depth, .columns = columns, .a = a, .a_stride = a_stride, .c_stride = c_stride, .epilogue = e};
  const float *found = BOTH("gemm", fused, start, count, 1e-5, call.b = packed(k, b, depth, columns), call.c = y,
                            call.next_a = below(2) ? a : NULL, k->network.gemm(&call));
  // And the formula itself.
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++) {
      double sum = 0;
      for (size_t k = 0; k < depth; k++) sum += (double)a[r * a_stride + k] * (double)b[c * depth + k];
      if (e.bias) sum += (double)e.bias[c];
      if (e.residual) sum += (double)e.residual[r * e.residual_stride + c];
      if (e.lower_bound) sum = fmax(sum, (double)e.lower_bound[c]);
      if (e.upper_bound > 0) sum = fmin(sum, (double)e.upper_bound);
      start[r * c_stride + c] = (float)sum;
    }
  expect_floats("gemm, formula", sums, found, start, count, 1e-5);
  BOTH("epilogue", exact, start, count, 0, k->network.epilogue(rows, columns, y, c_stride, &e));
}

static void check_pack_panel(void) {
  const size_t depth = 1 + below(40), columns = 16, stride = depth + below(3);
  const bool is_row = below(2);
  const float *x = random_floats(columns * stride + depth * columns, -1, 1);
  BOTH("pack_panel", exact, x, depth * columns, 0, for (size_t c = 0; c < columns; c += k->network.panel_width)
    k->network.pack_panel(depth, k->network.panel_width, x + c * (is_row ? 1 : stride), is_row ? 1 : stride, is_row ? columns : 1, y + c, columns));
}

static void check_maps(void) {
  const size_t height = 2 + below(11), width = 2 + below(11), channels = 1 + below(20), stride = channels + below(3);
  const ptrdiff_t pad = (ptrdiff_t)below(2);
  const size_t rows = (height + 1) / 2, columns = (width + 1) / 2, count = (rows * columns - 1) * stride + channels;
  const float *x = random_floats((height * width - 1) * stride + channels, -1, 1);
  BOTH("max_pool", exact, random_floats(count, 0, 1), count, 0,
       k->network.max_pool(height, width, channels, stride, pad, pad, columns, stride, 0, rows, x, y));
  const size_t outputs = 1 + below(2), all = height * width * outputs, products = 9 * outputs + below(3);
  const float *taps = random_floats(height * width * products, -1, 1), *bias = random_floats(outputs, -1, 1);
  BOTH("sum_taps", exact, bytes_of(4 * all), all, 0,
       k->network.sum_taps(height, width, outputs, products, 0, height, taps, bias, -0.5f, 2, y));
}

static void check_depthwise(void) {
  const size_t kernel = below(4) == 0 ? 7 : 3 + 2 * below(2), stride = 1 + below(2);
  const size_t height = kernel + below(8), width = kernel + below(24), channels = 1 + below(20);
  const size_t rows = (height - 1) / stride + 1, columns = (width - 1) / stride + 1;
  const size_t x_stride = channels + below(3), y_stride = channels + below(3), weight_stride = channels + below(3);
  const size_t count = (rows * columns - 1) * y_stride + channels;
  ck_depthwise call = {.height = height, .width = width, .channels = channels, .kernel = kernel, .stride = stride,
                       .out_width = columns, .x_stride = x_stride, .y_stride = y_stride, .weight_stride = weight_stride,
                       .x = random_floats((height * width - 1) * x_stride + channels, -1, 1),
                       .weights = random_floats((kernel * kernel - 1) * weight_stride + channels, -1, 1),
                       .epilogue = random_epilogue(rows * columns, channels)};
  BOTH("depthwise", fused, random_floats(count, 0, 1), count, 1e-5, call.y = y, k->network.depthwise(&call, 0, rows));
}

static void check_resize_row(void) {
  const size_t width = 1 + below(20), source = 1 + below(10), channels = 1 + below(20), stride = channels + below(3);
  int32_t *left = bytes_of(4 * width), *right = bytes_of(4 * width);
  for (size_t i = 0; i < width; i++) {
    left[i] = (int32_t)below(source);
    right[i] = left[i] + (left[i] + 1 < (int32_t)source);
  }
  const size_t read = (source - 1) * stride + channels, count = (width - 1) * stride + channels;
  ck_resized_row call = {.width = width, .channels = channels, .left = left, .right = right,
                         .shares = random_floats(width, 0, 1), .share = random_float(0, 1),
                         .top = random_floats(read, -1, 1), .bottom = random_floats(read, -1, 1), .source_stride = stride,
                         .added_stride = stride, .y_stride = stride, .added = below(2) ? random_floats(count, -1, 1) : NULL};
  BOTH("resize_row", exact, random_floats(count, 0, 1), count, 0, call.y = y, k->network.resize_row(&call));
}

void check_network(size_t number) {
  check_gemm(number);
  check_pack_panel();
  check_maps();
  check_depthwise();
  check_resize_row();
}
