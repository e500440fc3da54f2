// GELU(x) = x/2 · (1 + erf(x / √2)), with erf by a polynomial near 0 and 1 − eᵖ with a polynomial p elsewhere, within 2 ulp. Only
// additions and products, each rounded by itself, so that all instruction sets agree to the bit.
//
// > Source: D. Hendrycks, K. Gimpel. "Gaussian Error Linear Units." 2016. arXiv:1606.08415. N. Juffa, "erff", 2018: the
// > coefficients, minimax on both sides of 475/512.
INLINE V NAME(erf_of)(V x) {
  const VI sign = (VI)x & (VI)NAME(splat)(-0.0f);
  // From 4 on the result is 1 to the last bit.
  const V t = NAME(min)((V)((VI)x ^ sign), NAME(splat)(4.0f));
  const V s = t * t;
  V near = s * -5.96761703e-4f + 4.99119423e-3f;
  near = near * s - 2.67681349e-2f;
  near = near * s + 1.12819925e-1f;
  near = near * s - 3.76125336e-1f;
  near = near * s + 1.28379166e-1f;
  near = near * t + t;
  V far = t * -1.72853470e-5f + 3.83197126e-4f;
  far = far * s + (t * -3.88396438e-3f + 2.42546219e-2f);
  far = far * t - 1.06777877e-1f;
  far = far * t - 6.34846687e-1f;
  far = far * t - 1.28717512e-1f;
  far = far * t - t;
  far = 1.0f - NAME(exponential_of)(far);
  const VI is_far = t > NAME(splat)(475.0f / 512.0f);
  return (V)(((is_far & (VI)far) | (~is_far & (VI)near)) | sign);
}

INLINE V NAME(gelu_of)(V x) {
  return (0.5f * x) * (1.0f + NAME(erf_of)(x * 0.70710678118654752f));
}

static void NAME(gelu)(size_t rows, size_t columns, float *y, size_t stride) {
  for (size_t row = 0; row < rows; row++, y += stride)
    for (size_t i = 0; i < columns; i += LANES) {
      const size_t n = columns - i < LANES ? columns - i : LANES;
      NAME(store_first)(y + i, NAME(gelu_of)(NAME(load_first)(y + i, n)), n);
    }
}
