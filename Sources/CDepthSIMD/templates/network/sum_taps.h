// The second half of a 3×3 convolution with few output channels: sums the products of its nine taps.
static void NAME(sum_taps)(size_t height, size_t width, size_t outputs, size_t stride, size_t first,
                           size_t last, const float *products, const float *bias,
                           float lower_bound, float upper_bound, float *y) {
  for (size_t r = first; r < last; r++) {
    const size_t i0 = r == 0 ? 1 : 0, i1 = r + 1 == height ? 2 : 3;
    for (size_t c = 0; c < width; c++) {
      const size_t j0 = c == 0 ? 1 : 0, j1 = c + 1 == width ? 2 : 3;
      for (size_t o = 0; o < outputs; o++) {
        float sum = bias[o];
        for (size_t i = i0; i < i1; i++)
          for (size_t j = j0; j < j1; j++)
            sum += products[((r + i - 1) * width + c + j - 1) * stride + 9 * o + 3 * i + j];
        sum = sum > lower_bound ? sum : lower_bound;
        y[(r * width + c) * outputs + o] = sum < upper_bound ? sum : upper_bound;
      }
    }
  }
}
