// y = (x − mean) / √(variance + ε) · γ + β of each row. The variance is computed around the mean in a second pass: a few
// channels of a transformer are a hundred times larger than the other channels, and a difference of squares would lose
// the small channels.
//
// > Source: J. L. Ba, J. R. Kiros, G. E. Hinton. "Layer Normalization." 2016. arXiv:1607.06450.

static void NAME(layer_norm)(size_t rows, size_t channels, const float *x, size_t x_stride,
                             const float *gamma, const float *beta, float epsilon, float *y,
                             size_t y_stride) {
  const size_t whole = channels / LANES * LANES;
  for (size_t row = 0; row < rows; row++, x += x_stride, y += y_stride) {
    V sums[2] = {{0}, {0}};
    size_t c = 0;
    for (; c + 2 * LANES <= whole; c += 2 * LANES) {
      sums[0] += NAME(load)(x + c);
      sums[1] += NAME(load)(x + c + LANES);
    }
    if (c < whole) sums[0] += NAME(load)(x + c);
    float rest = 0;
    for (c = whole; c < channels; c++) rest += x[c];
    const float mean = (NAME(sum_of_lanes)(sums[0] + sums[1]) + rest) / (float)channels;

    V squares[2] = {{0}, {0}};
    for (c = 0; c + 2 * LANES <= whole; c += 2 * LANES) {
      const V a = NAME(load)(x + c) - mean, b = NAME(load)(x + c + LANES) - mean;
      squares[0] = NAME(fma)(a, a, squares[0]);
      squares[1] = NAME(fma)(b, b, squares[1]);
    }
    if (c < whole) {
      const V a = NAME(load)(x + c) - mean;
      squares[0] = NAME(fma)(a, a, squares[0]);
    }
    rest = 0;
    for (c = whole; c < channels; c++) rest += (x[c] - mean) * (x[c] - mean);
    const float variance = (NAME(sum_of_lanes)(squares[0] + squares[1]) + rest) / (float)channels;

    const float scale = 1 / sqrtf(variance + epsilon);
    for (c = 0; c < channels; c += LANES) {
      const size_t n = channels - c < LANES ? channels - c : LANES;
      const V normal = (NAME(load_first)(x + c, n) - mean) * scale;
      NAME(store_first)(y + c, normal * NAME(load_first)(gamma + c, n) + NAME(load_first)(beta + c, n), n);
    }
  }
}
