// A block of keys of the softmax of attention, for blocks one after the other:
//
//     m′ = max(m, scale · max s),  p = e^(scale · s − m′),  l′ = l · e^(m − m′) + Σ p,  o′ = o · e^(m − m′)
//
// p takes the place of s; the product of p and the block's values is then added to o, and o / l is the result after the last block.
//
// > Source: M. Milakov, N. Gimelshein. "Online normalizer calculation for softmax." 2018. arXiv:1805.02867.
static void NAME(running_softmax)(size_t rows, size_t columns, float *s, size_t stride, float scale,
                                  float *maxima, float *sums, float *results, size_t result_stride,
                                  size_t result_columns) {
  for (size_t row = 0; row < rows; row++, s += stride, results += result_stride) {
    V high = NAME(splat)(-INFINITY);
    size_t c = 0;
    for (; c + LANES <= columns; c += LANES) high = NAME(max)(NAME(load)(s + c), high);
    float largest = -INFINITY, lanes[LANES];
    NAME(store)(lanes, high);
    for (size_t i = 0; i < LANES; i++) largest = lanes[i] > largest ? lanes[i] : largest;
    for (; c < columns; c++) largest = s[c] > largest ? s[c] : largest;
    largest *= scale;
    const float before = maxima[row];
    if (largest < before) largest = before;

    V sum = {0};
    for (c = 0; c + LANES <= columns; c += LANES) {
      const V p = NAME(exponential_of)(NAME(load)(s + c) * scale - largest);
      NAME(store)(s + c, p);
      sum += p;
    }
    float rest = 0;
    if (c < columns) {
      const size_t n = columns - c;
      NAME(store_first)(s + c, NAME(exponential_of)(NAME(load_first)(s + c, n) * scale - largest), n);
      for (; c < columns; c++) rest += s[c];
    }
    float factor = 1;
    if (largest > before) {
      NAME(store)(lanes, NAME(exponential_of)(NAME(splat)(before - largest)));
      factor = lanes[0];
      for (size_t i = 0; i < result_columns; i += LANES) {
        const size_t n = result_columns - i < LANES ? result_columns - i : LANES;
        NAME(store_first)(results + i, NAME(load_first)(results + i, n) * factor, n);
      }
    }
    maxima[row] = largest;
    sums[row] = sums[row] * factor + (NAME(sum_of_lanes)(sum) + rest);
  }
}
