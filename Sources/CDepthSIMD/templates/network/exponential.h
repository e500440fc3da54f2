// eˣ = 2ⁿ · eʳ with n the nearest integer of x / ln 2 and a polynomial for eʳ, |r| ≤ ln 2 / 2. Additions and products are
// rounded separately, so results have the same bits with all instruction sets.
//
// > Source: S. L. Moshier, Cephes Mathematical Library, expf: the coefficients, and ln 2 in two parts.
INLINE V NAME(exponential_of)(V x) {
  const float magic = 12582912.0f;  // adding and subtracting 1.5 · 2²³ rounds to the nearest integer
  const V t = NAME(min)(NAME(max)(x, NAME(splat)(-87.0f)), NAME(splat)(88.0f));
  const V shifted = t * 1.44269504088896341f + magic;
  const V whole = shifted - magic;
  V r = t - whole * 0.693359375f;
  r = r - whole * -2.12194440e-4f;
  V p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r;
  p = p + 1.0f;
  return (V)((VI)p + ((VI)shifted << 23));
}

static void NAME(exponential)(size_t count, const float *x, float *y) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    NAME(store_first)(y + i, NAME(exponential_of)(NAME(load_first)(x + i, n)), n);
  }
}

// A logistic function from 0 to `largest`, with the exponential above.
static void NAME(sigmoid)(size_t count, float largest, const float *x, float *y) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    const V e = NAME(exponential_of)(-NAME(load_first)(x + i, n));
    NAME(store_first)(y + i, largest / (1.0f + e), n);
  }
}
