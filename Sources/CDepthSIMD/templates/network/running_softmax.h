// The softmax of attention for one block of keys in a sequence of blocks:
//
//     m′ = max(m, scale · max s),  p = e^(scale · s − m′),  l′ = l · e^(m − m′) + Σ p,  o′ = o · e^(m − m′)
//
// Then the product of p and the block's values is added to o. After the last block, the result is o / l. p overwrites s.
//
// > Source: M. Milakov, N. Gimelshein. "Online normalizer calculation for softmax." 2018. arXiv:1805.02867.

/// eᵈ for d ≤ 0 as 2ⁿ · 2ʳ, with a polynomial for 2ʳ, within 2 ulp. It takes half the operations of `exponential`,
/// because attention computes an exponential for every pair of tokens. Results differ in the last place between sets,
/// like sums of products.
///
/// > Source: S. L. Moshier, Cephes Mathematical Library, exp2f: the coefficients.
INLINE V NAME(share_of)(V d) {
  const V factor = NAME(splat)(1.44269504088896341f);
#if LANES == 16
  const V t = d * factor;
  const V r = (V)_mm512_reduce_ps((__m512)t, 0);
#else
  const V magic = NAME(splat)(12582912.0f);  // adding and subtracting 1.5 · 2²³ rounds to the nearest integer
  const V t = NAME(max)(d * factor, NAME(splat)(-126.0f));
  const V shifted = t + magic;
  const V r = t - (shifted - magic);
#endif
  V p = NAME(fma)(r, NAME(splat)(1.535336188319500e-4f), NAME(splat)(1.339887440266574e-3f));
  p = NAME(fma)(p, r, NAME(splat)(9.618437357674640e-3f));
  p = NAME(fma)(p, r, NAME(splat)(5.550332471162809e-2f));
  p = NAME(fma)(p, r, NAME(splat)(2.402264791363012e-1f));
  p = NAME(fma)(p, r, NAME(splat)(6.931472028550421e-1f));
  p = NAME(fma)(p, r, NAME(splat)(1.0f));
#if LANES == 16
  return (V)_mm512_scalef_ps((__m512)p, (__m512)(t - r));
#else
  return (V)((VI)p + ((VI)shifted << 23));
#endif
}

/// The largest score.
INLINE float NAME(largest_score)(size_t columns, const float *s) {
  // Four independent chains.
  V high = NAME(splat)(-__builtin_inff()), second = high, third = high, fourth = high;
  size_t c = 0;
  for (; c + 4 * LANES <= columns; c += 4 * LANES) {
    high = NAME(max)(NAME(load)(s + c), high);
    second = NAME(max)(NAME(load)(s + c + LANES), second);
    third = NAME(max)(NAME(load)(s + c + 2 * LANES), third);
    fourth = NAME(max)(NAME(load)(s + c + 3 * LANES), fourth);
  }
  for (; c + LANES <= columns; c += LANES) high = NAME(max)(NAME(load)(s + c), high);
  float largest = NAME(largest_of_lanes)(NAME(max)(NAME(max)(high, second), NAME(max)(third, fourth)));
  for (; c < columns; c++) largest = s[c] > largest ? s[c] : largest;
  return largest;
}

static void NAME(running_softmax)(const ck_softmax *p) {
  const size_t columns = p->columns;
  for (size_t row = 0; row < p->rows; row++) {
    float *s = p->scores + row * p->score_stride, *results = p->results + row * p->result_stride;
    const float scale = p->scales ? p->scale * p->scales[row] : p->scale;
    const float before = p->maxima[row];
    float largest = NAME(largest_score)(columns, s) * scale;
    if (largest < before) largest = before;

    V sum = {0};
    const V factors = NAME(splat)(scale), top = NAME(splat)(-largest);
    size_t c = 0;
    for (; c + LANES <= columns; c += LANES) {
      const V share = NAME(share_of)(NAME(fma)(NAME(load)(s + c), factors, top));
      sum += share;
      NAME(store)(s + c, share);
    }
    float rest = 0;
    if (c < columns) {
      const size_t n = columns - c;
      float lanes[LANES];
      NAME(store)(lanes, NAME(share_of)(NAME(fma)(NAME(load_first)(s + c, n), factors, top)));
      for (size_t i = 0; i < n; i++) rest += lanes[i];
      memcpy(s + c, lanes, n * sizeof(float));
    }
    float factor = 1;
    if (largest > before) {
      float lanes[LANES];
      NAME(store)(lanes, NAME(share_of)(NAME(splat)(before - largest)));
      factor = lanes[0];
      for (size_t i = 0; i < p->result_columns; i += LANES) {
        const size_t n = p->result_columns - i < LANES ? p->result_columns - i : LANES;
        NAME(store_first)(results + i, NAME(load_first)(results + i, n) * factor, n);
      }
    }
    p->maxima[row] = largest;
    p->sums[row] = p->sums[row] * factor + (NAME(sum_of_lanes)(sum) + rest);
  }
}
