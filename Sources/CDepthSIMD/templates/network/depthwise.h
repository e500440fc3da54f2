// A depthwise convolution. Taps outside the map are omitted. Every output is a single chain of additions in the order of the
// taps, so neither blocking nor threads change the bits.

/// Pixels with sums in registers at a time.
#define DEPTHWISE_PIXELS 8

/// Computes `pixels` outputs of one row from `column`, for the n ≤ LANES channels from c, and the taps of rows i0 ..< i1 and
/// columns j0 ..< j1. `pixels`, `kernel` and `stride` are constants after inlining.
INLINE void NAME(depthwise_block)(const size_t pixels, const size_t kernel, const size_t stride,
                                  const ck_depthwise *p, size_t row, size_t column, size_t c,
                                  const size_t n, size_t i0, size_t i1, size_t j0, size_t j1) {
  const size_t padding = (kernel - 1) / 2;
  V sum[DEPTHWISE_PIXELS];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < pixels; r++) sum[r] = (V){0};
  for (size_t i = i0; i < i1; i++) {
    const float *line = p->x + (row * stride + i - padding) * p->width * p->x_stride + c;
    const float *weights = p->weights + i * kernel * p->weight_stride + c;
    for (size_t j = j0; j < j1; j++) {
      const V w = NAME(load_first)(weights + j * p->weight_stride, n);
      const float *x = line + (column * stride + j - padding) * p->x_stride;
#pragma clang loop unroll(full)
      for (size_t r = 0; r < pixels; r++)
        sum[r] = NAME(fma)(NAME(load_first)(x + r * stride * p->x_stride, n), w, sum[r]);
    }
  }
  const size_t pixel = row * p->out_width + column;
#pragma clang loop unroll(full)
  for (size_t r = 0; r < pixels; r++)
    NAME(store_first)(p->y + (pixel + r) * p->y_stride + c,
                      NAME(finished)(sum[r], &p->epilogue, pixel + r, c, n), n);
}

/// Computes one row of n ≤ LANES channels.
INLINE void NAME(depthwise_row)(const size_t kernel, const size_t stride, const ck_depthwise *p,
                                size_t row, size_t c, const size_t n) {
  const size_t padding = (kernel - 1) / 2, top = row * stride;
  const size_t i0 = top < padding ? padding - top : 0;
  const size_t below = p->height + padding - top, i1 = below < kernel ? below : kernel;
  // Columns first ..< last have all taps.
  const size_t first = (padding + stride - 1) / stride;
  const size_t whole = p->width + padding >= kernel ? (p->width + padding - kernel) / stride + 1 : 0;
  const size_t last = whole < p->out_width ? whole : p->out_width;
  size_t column = 0;
  while (column < p->out_width) {
    if (column >= first && column < last && last - first >= DEPTHWISE_PIXELS) {
      // The last block begins earlier to be full.
      const size_t room = last - DEPTHWISE_PIXELS, begin = column < room ? column : room;
      NAME(depthwise_block)(DEPTHWISE_PIXELS, kernel, stride, p, row, begin, c, n, i0, i1, 0, kernel);
      column = begin + DEPTHWISE_PIXELS;
    } else {
      const size_t left = column * stride, right = p->width + padding - left;
      NAME(depthwise_block)(1, kernel, stride, p, row, column, c, n, i0, i1,
                            left < padding ? padding - left : 0, right < kernel ? right : kernel);
      column++;
    }
  }
}

INLINE void NAME(depthwise_rows)(const size_t kernel, const size_t stride, const ck_depthwise *p,
                                 size_t first, size_t last) {
  for (size_t row = first; row < last; row++) {
    size_t c = 0;
    for (; c + LANES <= p->channels; c += LANES)
      NAME(depthwise_row)(kernel, stride, p, row, c, LANES);
    if (c < p->channels) NAME(depthwise_row)(kernel, stride, p, row, c, p->channels - c);
  }
}

static void NAME(depthwise)(const ck_depthwise *p, size_t first, size_t last) {
  if (p->kernel == 3 && p->stride == 1)
    NAME(depthwise_rows)(3, 1, p, first, last);
  else if (p->kernel == 3 && p->stride == 2)
    NAME(depthwise_rows)(3, 2, p, first, last);
  else if (p->kernel == 5 && p->stride == 1)
    NAME(depthwise_rows)(5, 1, p, first, last);
  else if (p->kernel == 5 && p->stride == 2)
    NAME(depthwise_rows)(5, 2, p, first, last);
  else
    NAME(depthwise_rows)(p->kernel, p->stride, p, first, last);
}
#undef DEPTHWISE_PIXELS
