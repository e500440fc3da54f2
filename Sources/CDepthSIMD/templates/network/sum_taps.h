// The second half of a 3×3 convolution with few output channels: sums the products of its nine taps.

typedef struct {
  size_t outputs, stride, width;
  const float *bias;
  float lower_bound, upper_bound;
} NAME(taps);

/// Computes the outputs of one pixel: the products of the kernel's rows i0 ..< i1 and columns j0 ..< j1, with the
/// pixel's own product at `from`.
INLINE void NAME(sum_pixel)(const NAME(taps) *p, const size_t i0, const size_t i1, const size_t j0,
                            const size_t j1, const float *from, float *y) {
  for (size_t o = 0; o < p->outputs; o++) {
    float sum = p->bias[o];
    for (size_t i = i0; i < i1; i++) {
      const float *row = from + ((ptrdiff_t)i - 1) * (ptrdiff_t)(p->width * p->stride) + 9 * o + 3 * i;
      for (size_t j = j0; j < j1; j++) sum += row[((ptrdiff_t)j - 1) * (ptrdiff_t)p->stride + (ptrdiff_t)j];
    }
    sum = sum > p->lower_bound ? sum : p->lower_bound;
    y[o] = sum < p->upper_bound ? sum : p->upper_bound;
  }
}

static void NAME(sum_taps)(size_t height, size_t width, size_t outputs, size_t stride, size_t first,
                           size_t last, const float *products, const float *bias,
                           float lower_bound, float upper_bound, float *y) {
  const NAME(taps) p = {outputs, stride, width, bias, lower_bound, upper_bound};
  for (size_t r = first; r < last; r++) {
    const size_t i0 = r == 0 ? 1 : 0, i1 = r + 1 == height ? 2 : 3;
    const float *from = products + r * width * stride;
    float *out = y + r * width * outputs;
    // Most pixels have a constant number of taps, nine.
    const size_t inside = i0 == 0 && i1 == 3 && width > 2 ? width - 1 : 1;
    NAME(sum_pixel)(&p, i0, i1, 1, width == 1 ? 2 : 3, from, out);
    for (size_t c = 1; c < inside; c++)
      NAME(sum_pixel)(&p, 0, 3, 0, 3, from + c * stride, out + c * outputs);
    for (size_t c = inside; c < width; c++)
      NAME(sum_pixel)(&p, i0, i1, 0, c + 1 == width ? 2 : 3, from + c * stride, out + c * outputs);
  }
}
