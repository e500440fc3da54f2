// A block of keys of the softmax of attention, for blocks one after the other:
//
//     m′ = max(m, scale · max s),  p = e^(scale · s − m′),  l′ = l · e^(m − m′) + Σ p,  o′ = o · e^(m − m′)
//
// p takes the place of s; the product of p and the block's values is then added to o, and o / l is the result after the last block.
//
// > Source: M. Milakov, N. Gimelshein. "Online normalizer calculation for softmax." 2018. arXiv:1805.02867.

/// eᵈ for d ≤ 0, within 2 ulp: 2ⁿ · 2ʳ with a polynomial for the second. Half the operations of `exponential`, since attention spends
/// them for every pair of tokens; the sets' results differ in the last place, as sums of products do.
///
/// > Source: S. L. Moshier, Cephes Mathematical Library, exp2f: the coefficients.
INLINE V NAME(share_of)(V d) {
  const float magic = 12582912.0f;  // adding and taking away 1.5 · 2²³ rounds to the nearest integer
  const V t = NAME(max)(d * 1.44269504088896341f, NAME(splat)(-126.0f));
  const V shifted = t + magic;
  const V r = t - (shifted - magic);
  V p = NAME(fma)(r, NAME(splat)(1.535336188319500e-4f), NAME(splat)(1.339887440266574e-3f));
  p = NAME(fma)(p, r, NAME(splat)(9.618437357674640e-3f));
  p = NAME(fma)(p, r, NAME(splat)(5.550332471162809e-2f));
  p = NAME(fma)(p, r, NAME(splat)(2.402264791363012e-1f));
  p = NAME(fma)(p, r, NAME(splat)(6.931472028550421e-1f));
  p = NAME(fma)(p, r, NAME(splat)(1.0f));
  return (V)((VI)p + ((VI)shifted << 23));
}

static void NAME(running_softmax)(size_t rows, size_t columns, float *s, size_t stride, float scale,
                                  float *maxima, float *sums, float *results, size_t result_stride,
                                  size_t result_columns) {
  for (size_t row = 0; row < rows; row++, s += stride, results += result_stride) {
    // Four chains, so that one does not wait for the other.
    V high = NAME(splat)(-INFINITY), second = high, third = high, fourth = high;
    size_t c = 0;
    for (; c + 4 * LANES <= columns; c += 4 * LANES) {
      high = NAME(max)(NAME(load)(s + c), high);
      second = NAME(max)(NAME(load)(s + c + LANES), second);
      third = NAME(max)(NAME(load)(s + c + 2 * LANES), third);
      fourth = NAME(max)(NAME(load)(s + c + 3 * LANES), fourth);
    }
    for (; c + LANES <= columns; c += LANES) high = NAME(max)(NAME(load)(s + c), high);
    high = NAME(max)(NAME(max)(high, second), NAME(max)(third, fourth));
    float largest = -INFINITY, lanes[LANES];
    NAME(store)(lanes, high);
    for (size_t i = 0; i < LANES; i++) largest = lanes[i] > largest ? lanes[i] : largest;
    for (; c < columns; c++) largest = s[c] > largest ? s[c] : largest;
    largest *= scale;
    const float before = maxima[row];
    if (largest < before) largest = before;

    V sum = {0};
    const V factors = NAME(splat)(scale), top = NAME(splat)(-largest);
    for (c = 0; c + LANES <= columns; c += LANES) {
      const V p = NAME(share_of)(NAME(fma)(NAME(load)(s + c), factors, top));
      NAME(store)(s + c, p);
      sum += p;
    }
    float rest = 0;
    if (c < columns) {
      const size_t n = columns - c;
      NAME(store_first)(s + c, NAME(share_of)(NAME(fma)(NAME(load_first)(s + c, n), factors, top)), n);
      for (; c < columns; c++) rest += s[c];
    }
    float factor = 1;
    if (largest > before) {
      NAME(store)(lanes, NAME(share_of)(NAME(splat)(before - largest)));
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
