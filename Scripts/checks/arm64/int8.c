// Kernels of 8-bit quantized values beside the convolutions, which Scripts/checks/tiles checks, by every set that this machine has:
// against formulas in whole numbers.
#include "check.h"

/// Runs calls by every set of the machine that has code of its own, `k`; of those, AMX is checked on a model.
#define EACH_SET(...)                                                             \
  for (int set = 0; set <= ck_int8_i8mm; set++) {                                 \
    if (!ck_int8_is_supported((ck_int8_isa)set) || set == ck_int8_amx) continue;  \
    const ck_int8_kernels *k = ck_int8_kernels_for((ck_int8_isa)set);             \
    __VA_ARGS__;                                                                  \
  }

/// Tells a result that is not the formula's.
static void expect_formula(const char *kernel, const void *found, const void *expected, size_t bytes) {
  if (memcmp(found, expected, bytes)) expect_bytes(kernel, found, expected, bytes);
}

/// One output's code by its formula.
static uint8_t code_of(int64_t sum, float multiplier, float offset, float lower) {
  float y = (float)(int32_t)sum * multiplier;
  y += offset;
  y = y > lower ? y : lower;
  y = y < 255 ? y : 255;
  return (uint8_t)rintf(y);
}

static void check_depthwise(void) {
  const size_t kernel = 3 + 2 * below(2), stride = 1 + below(2), pixels = 1 + below(12), lines = 1 + below(3);
  const size_t channels = 1 + below(40), pixel = channels + below(3), width = (pixels - 1) * stride + kernel;
  const size_t parts = kernel == 5 ? 2 : 1, weight_stride = channels + below(3), height = (lines - 1) * stride + kernel;
  const uint8_t *x = random_bytes((height * width - 1) * pixel + channels);
  int8_t *kernels = bytes_of(channels * kernel * kernel);
  for (size_t i = 0; i < channels * kernel * kernel; i++) kernels[i] = (int8_t)((int)below(255) - 127);
  const size_t dwords = (kernel * parts - 1) * weight_stride + channels;
  int8_t *weights = bytes_of(4 * dwords);
  memset(weights, 0, 4 * dwords);
  int32_t *initial = bytes_of(4 * channels);
  float *multiplier = random_floats(channels, 1e-4f, 1e-3f), *offset = random_floats(channels, 40, 200);
  float *lower = random_floats(channels, 0, 40);
  for (size_t c = 0; c < channels; c++) {
    initial[c] = (int32_t)below(20001) - 10000;
    for (size_t i = 0; i < kernel; i++)
      for (size_t j = 0; j < kernel; j++) {
        const int8_t w = kernels[(c * kernel + i) * kernel + j];
        int8_t *first = weights + 4 * (i * parts * weight_stride + c);
        if (kernel == 3) first[1 + j] = w;
        else if (j) first[j - 1] = w;
        else first[4 * weight_stride + stride - 1] = w;
      }
  }
  ptrdiff_t offsets[5];
  for (size_t i = 0; i < kernel; i++) offsets[i] = (ptrdiff_t)(i * width * pixel);
  uint8_t *y = bytes_of(lines * pixels * channels), *expected = bytes_of(lines * pixels * channels);
  ck_int8_depthwise p = {.call = {.lines = lines, .pixels = pixels, .columns = channels, .segments = kernel, .x = x,
                                  .x_pixel_stride = pixel, .x_line_stride = stride * width * pixel, .offsets = offsets,
                                  .weights = weights, .initial = initial, .y = y, .y_pixel_stride = channels,
                                  .y_line_stride = pixels * channels,
                                  .epilogue = {.multiplier = multiplier, .offset = offset, .lower_bound = lower}},
                         .stride = stride, .weight_stride = weight_stride};
  for (size_t line = 0; line < lines; line++)
    for (size_t column = 0; column < pixels; column++)
      for (size_t c = 0; c < channels; c++) {
        int64_t sum = initial[c];
        for (size_t i = 0; i < kernel; i++)
          for (size_t j = 0; j < kernel; j++)
            sum += (int64_t)kernels[(c * kernel + i) * kernel + j] *
                   x[((line * stride + i) * width + column * stride + j) * pixel + c];
        expected[(line * pixels + column) * channels + c] = code_of(sum, multiplier[c], offset[c], lower[c]);
      }
  const size_t all = lines * pixels * channels;
  EACH_SET(memset(y, 0, all); k->depthwise(&p); expect_formula("depthwise of quantized values", y, expected, all))
  expect_bytes("depthwise of quantized values", expected, expected, all);
}

static void check_quantization(void) {
  const size_t rows = 1 + below(3), columns = 1 + below(60), stride = columns + below(3), all = (rows - 1) * stride + columns;
  const float *x = random_floats(all, -3, 5);
  uint8_t *y = bytes_of(all), *expected = bytes_of(all), *tokens = bytes_of(all);
  float *scales = bytes_of(4 * rows), *own = bytes_of(4 * rows);
  for (size_t i = 0; i < all; i++) {
    float value = x[i] * 60;
    value += 12.5f;
    expected[i] = (uint8_t)rintf(value < 0 ? 0 : value > 255 ? 255 : value);
  }
  memset(tokens, 0, all);
  ck_int8_kernels_for(ck_int8_baseline)->quantize_tokens(rows, columns, x, stride, tokens, stride, scales);
  EACH_SET({
    k->quantize(all, x, 60, 12.5f, y);
    expect_formula("quantize", y, expected, all);
    memset(y, 0, all);
    k->quantize_tokens(rows, columns, x, stride, y, stride, own);
    expect_formula("quantize_tokens", y, tokens, all);
    expect_formula("quantize_tokens, scales", own, scales, 4 * rows);
  })
  expect_bytes("quantize", expected, expected, all);
  expect_bytes("quantize_tokens", tokens, tokens, all);
  expect_bytes("quantize_tokens, scales", scales, scales, 4 * rows);
}

void check_int8(size_t number) {
  (void)number;
  check_depthwise();
  check_quantization();
}
