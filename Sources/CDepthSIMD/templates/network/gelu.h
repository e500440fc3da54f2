// GELU(x) = x · Φ(x) = x/2 · erfc(−x / √2), with erfc(t) = 2ᵖ and a polynomial p of t = |x| / √2; for the opposite sign of t,
// erfc is 2 − 2ᵖ. The error of erfc is 10⁻⁷; the error of the result is an ulp of x. Additions and products are rounded
// separately, so results have the same bits with all instruction sets.
//
// > Source: D. Hendrycks, K. Gimpel. "Gaussian Error Linear Units." 2016. arXiv:1606.08415. p is a minimax fit to log₂ erfc in
// > 0 … 4, weighted with erfc. S. L. Moshier, Cephes Mathematical Library, exp2f: the coefficients of 2ʳ.

/// Eight vectors are evaluated in parallel, because each step of a polynomial waits for the previous step.
typedef float NAME(wide) __attribute__((vector_size(8 * LANES * sizeof(float)), aligned(4)));
typedef int32_t NAME(wide_bits) __attribute__((vector_size(8 * LANES * sizeof(int32_t)), aligned(4)));

INLINE void NAME(gelu_in_place)(float *values) {
  const float magic = 12582912.0f;  // adding and subtracting 1.5 · 2²³ rounds to the nearest integer
  const NAME(wide) x = *(const NAME(wide) *)values;
  const NAME(wide) t = (NAME(wide))((NAME(wide_bits))x & 0x7FFFFFFF) * 0.70710678118654752f;
  NAME(wide) p = t * -4.53585853e-5f + 4.45507496e-4f;
  p = p * t - 1.48944114e-3f;
  p = p * t - 7.74630578e-4f;
  p = p * t + 2.8253682e-2f;
  p = p * t - 1.48481622e-1f;
  p = p * t - 9.18416381e-1f;
  p = p * t - 1.62790859f;
  p = p * t;
  const NAME(wide) shifted = p + magic;
  const NAME(wide) r = p - (shifted - magic);
  NAME(wide) e = r * 1.535336188319500e-4f + 1.339887440266574e-3f;
  e = e * r + 9.618437357674640e-3f;
  e = e * r + 5.550332471162809e-2f;
  e = e * r + 2.402264791363012e-1f;
  e = e * r + 6.931472028550421e-1f;
  e = e * r + 1.0f;
  // From t = 4, erfc counts as 0.
  const NAME(wide_bits) complement =
      ((NAME(wide_bits))e + ((NAME(wide_bits))shifted << 23)) & (NAME(wide_bits))(t < 4.0f);
  const NAME(wide) other = 2.0f - (NAME(wide))complement;
  const NAME(wide_bits) is_negative = (NAME(wide_bits))(x < 0.0f);
  *(NAME(wide) *)values =
      (0.5f * x) * (NAME(wide))((is_negative & complement) | (~is_negative & (NAME(wide_bits))other));
}

static void NAME(gelu)(size_t rows, size_t columns, float *y, size_t stride) {
  for (size_t row = 0; row < rows; row++, y += stride) {
    size_t i = 0;
    for (; i + 8 * LANES <= columns; i += 8 * LANES) NAME(gelu_in_place)(y + i);
    if (i == columns) continue;
    float rest[8 * LANES] = {0};
    memcpy(rest, y + i, (columns - i) * sizeof(float));
    NAME(gelu_in_place)(rest);
    memcpy(y + i, rest, (columns - i) * sizeof(float));
  }
}
