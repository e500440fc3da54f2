// GELU(x) = x · Φ(x) = x/2 · erfc(−x / √2), with erfc(t) = 2ᵖ and a polynomial p of t = |x| / √2; the other side is 2 − 2ᵖ. The error
// of erfc is 10⁻⁷, that of the result an ulp of x. Only additions and products, each rounded by itself, so that all instruction sets
// agree to the bit.
//
// > Source: D. Hendrycks, K. Gimpel. "Gaussian Error Linear Units." 2016. arXiv:1606.08415. p is a minimax fit to log₂ erfc in 0 … 4,
// > weighted with erfc. S. L. Moshier, Cephes Mathematical Library, exp2f: the coefficients of 2ʳ.
INLINE V NAME(gelu_of)(V x) {
  const float magic = 12582912.0f;  // adding and taking away 1.5 · 2²³ rounds to the nearest integer
  const V t = (V)((VI)x & 0x7FFFFFFF) * 0.70710678118654752f;
  V p = t * -4.53585853e-5f + 4.45507496e-4f;
  p = p * t - 1.48944114e-3f;
  p = p * t - 7.74630578e-4f;
  p = p * t + 2.8253682e-2f;
  p = p * t - 1.48481622e-1f;
  p = p * t - 9.18416381e-1f;
  p = p * t - 1.62790859f;
  p = p * t;
  const V shifted = p + magic;
  const V r = p - (shifted - magic);
  V e = r * 1.535336188319500e-4f + 1.339887440266574e-3f;
  e = e * r + 9.618437357674640e-3f;
  e = e * r + 5.550332471162809e-2f;
  e = e * r + 2.402264791363012e-1f;
  e = e * r + 6.931472028550421e-1f;
  e = e * r + 1.0f;
  // From 4 on erfc counts as 0.
  const VI complement = ((VI)e + ((VI)shifted << 23)) & (VI)(t < NAME(splat)(4.0f));
  const V other = 2.0f - (V)complement;
  const VI is_negative = (VI)(x < NAME(splat)(0.0f));
  return (0.5f * x) * (V)((is_negative & complement) | (~is_negative & (VI)other));
}

static void NAME(gelu)(size_t rows, size_t columns, float *y, size_t stride) {
  for (size_t row = 0; row < rows; row++, y += stride)
    for (size_t i = 0; i < columns; i += LANES) {
      const size_t n = columns - i < LANES ? columns - i : LANES;
      NAME(store_first)(y + i, NAME(gelu_of)(NAME(load_first)(y + i, n)), n);
    }
}
