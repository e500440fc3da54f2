// 3×3 maximum pooling of stride 2. The window is cropped to the map, so padding is never the
// maximum.
static void NAME(max_pool)(size_t height, size_t width, size_t channels, size_t x_stride,
                           ptrdiff_t pad_top, ptrdiff_t pad_left, size_t out_width,
                           size_t y_stride, size_t first, size_t last, const float *x, float *y) {
  for (size_t row = first; row < last; row++) {
    const ptrdiff_t top = (ptrdiff_t)(2 * row) - pad_top;
    const size_t r0 = top < 0 ? 0 : (size_t)top;
    const size_t r1 = (size_t)(top + 3) < height ? (size_t)(top + 3) : height;
    for (size_t column = 0; column < out_width; column++) {
      const ptrdiff_t left = (ptrdiff_t)(2 * column) - pad_left;
      const size_t c0 = left < 0 ? 0 : (size_t)left;
      const size_t c1 = (size_t)(left + 3) < width ? (size_t)(left + 3) : width;
      float *out = y + (row * out_width + column) * y_stride;
      for (size_t k = 0; k < channels; k += LANES) {
        const size_t n = channels - k < LANES ? channels - k : LANES;
        V best = NAME(splat)(-INFINITY);
        for (size_t r = r0; r < r1; r++)
          for (size_t c = c0; c < c1; c++)
            best = NAME(max)(NAME(load_first)(x + (r * width + c) * x_stride + k, n), best);
        NAME(store_first)(out + k, best, n);
      }
    }
  }
}
