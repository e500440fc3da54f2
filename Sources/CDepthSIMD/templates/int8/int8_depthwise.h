// A depthwise 8-bit convolution. For each kernel row, a lane holds its channel's quantized values of four adjacent columns, the
// newest in the highest byte. The next output shifts the lane and inserts the new columns. Integer sums are exact, so order and
// instruction set do not change the bits.

/// Loads one value per lane; lanes beyond n are 0.
INLINE VU NAME(widened)(const uint8_t *p, const size_t n) {
  VB quantized = {0};
  if (n == LANES) memcpy(&quantized, p, LANES); else memcpy(&quantized, p, n);
  return __builtin_convertvector(quantized, VU);
}

INLINE VI NAME(weight_quads)(const int8_t *p, const size_t n) {
  VI quads = {0};
  if (n == LANES) memcpy(&quads, p, sizeof quads); else memcpy(&quads, p, 4 * n);
  return quads;
}

/// Computes one line of n ≤ LANES channels. `kernel` and `stride` are constants after inlining.
INLINE void NAME(int8_depthwise_line)(const size_t kernel, const size_t stride,
                                      const ck_int8_depthwise *p, size_t line, size_t c,
                                      const size_t n) {
  const ck_int8_convolution *call = &p->call;
  const size_t pixel_stride = call->x_pixel_stride, parts = kernel == 5 ? 2 : 1;
  const NAME(finish) f = NAME(finish_of)(call, line, 0, c, n);
  VI initial = {0};
  memcpy(&initial, call->initial + c, 4 * n);
  // The last four columns of each row, for this output and the previous output, and the rows' next columns.
  VU newest[5], before[5];
  VI weights[5][2];
  const uint8_t *next[5];
#pragma clang loop unroll(full)
  for (size_t i = 0; i < kernel; i++) {
    const uint8_t *x = call->x + line * call->x_line_stride + call->offsets[i] + c;
    before[i] = kernel == 5 ? NAME(widened)(x, n) << (uint32_t)(8 * (stride - 1)) : (VU){0};
    x += (kernel == 5 ? 1 : 0) * pixel_stride;
    newest[i] = (VU){0};
#pragma clang loop unroll(full)
    for (size_t j = kernel == 5 ? 0 : 1; j < 4; j++, x += pixel_stride)
      newest[i] |= NAME(widened)(x, n) << (uint32_t)(8 * j);
    next[i] = x;
#pragma clang loop unroll(full)
    for (size_t part = 0; part < parts; part++)
      weights[i][part] =
          NAME(weight_quads)(call->weights + 4 * ((i * parts + part) * p->weight_stride + c), n);
#pragma clang loop unroll(full)
    for (size_t part = 0; part < parts; part++)
      initial = NAME(beginning)(initial, weights[i][part]);
  }
  for (size_t pixel = 0; pixel < call->pixels; pixel++) {
    VI sum = initial, other = {0};
#pragma clang loop unroll(full)
    for (size_t i = 0; i < kernel; i++) {
      sum = NAME(dot)(sum, (VI)newest[i], weights[i][0]);
      if (kernel == 5) other = NAME(dot)(other, (VI)before[i], weights[i][1]);
    }
    NAME(store_result)(false, f, pixel, sum + other);
    if (pixel + 1 == call->pixels) break;
#pragma clang loop unroll(full)
    for (size_t i = 0; i < kernel; i++) {
      before[i] = newest[i];
      newest[i] = newest[i] >> (uint32_t)(8 * stride) | NAME(widened)(next[i], n) << (uint32_t)(8 * (4 - stride));
      if (stride == 2) newest[i] |= NAME(widened)(next[i] + pixel_stride, n) << 24;
      next[i] += stride * pixel_stride;
    }
  }
}

INLINE void NAME(int8_depthwise_lines)(const size_t kernel, const size_t stride,
                                       const ck_int8_depthwise *p) {
  const size_t channels = p->call.columns;
  for (size_t line = 0; line < p->call.lines; line++) {
    size_t c = 0;
    for (; c + LANES <= channels; c += LANES)
      NAME(int8_depthwise_line)(kernel, stride, p, line, c, LANES);
    if (c < channels) NAME(int8_depthwise_line)(kernel, stride, p, line, c, channels - c);
  }
}

static void NAME(int8_depthwise)(const ck_int8_depthwise *p) {
  if (p->call.segments == 3 && p->stride == 1)
    NAME(int8_depthwise_lines)(3, 1, p);
  else if (p->call.segments == 3)
    NAME(int8_depthwise_lines)(3, 2, p);
  else if (p->stride == 1)
    NAME(int8_depthwise_lines)(5, 1, p);
  else
    NAME(int8_depthwise_lines)(5, 2, p);
}
