// F(4,3) with the points 0, ±a, ±b, ∞ and F(4,2) with 0, ±a, b, ∞, where a = 3/4 and b = 3/2. These points
// halve the rounding error of the usual points 0, ±1, ±2. The points, and all their products below, are exact
// in a float. Row p of Bᵀ has the coefficients of Π (x - q) over all finite points q ≠ p.

#define A1 0.75f
#define B1 1.5f
#define A2 (A1 * A1)
#define B2 (B1 * B1)

/// Bᵀ of F(4,3): six inputs, six values.
INLINE void NAME(input_3_4)(const V *d, size_t stride, V *o, size_t out) {
  const V d0 = d[0], d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride], d4 = d[4 * stride],
          d5 = d[5 * stride];
  const V minus_a2 = NAME(splat)(-A2), minus_b2 = NAME(splat)(-B2);
  const V even_a = NAME(fma)(minus_b2, d2, d4), odd_a = NAME(fma)(minus_b2, d1, d3);
  const V even_b = NAME(fma)(minus_a2, d2, d4), odd_b = NAME(fma)(minus_a2, d1, d3);
  const V a = NAME(splat)(A1), b = NAME(splat)(B1);
  const V both = NAME(splat)(A2 * B2), sum = NAME(splat)(-(A2 + B2));
  o[0] = NAME(fma)(both, d0, NAME(fma)(sum, d2, d4));
  o[out] = NAME(fma)(a, odd_a, even_a);
  o[2 * out] = NAME(fma)(-a, odd_a, even_a);
  o[3 * out] = NAME(fma)(b, odd_b, even_b);
  o[4 * out] = NAME(fma)(-b, odd_b, even_b);
  o[5 * out] = NAME(fma)(both, d1, NAME(fma)(sum, d3, d5));
}

/// Bᵀ of F(4,2): five inputs, five values.
INLINE void NAME(input_2_4)(const V *d, size_t stride, V *o, size_t out) {
  const V d0 = d[0], d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride], d4 = d[4 * stride];
  const V a = NAME(splat)(A1), minus_b = NAME(splat)(-B1), minus_a2 = NAME(splat)(-A2);
  const V odd = NAME(fma)(minus_a2, d1, d3), even = NAME(fma)(minus_a2, d2, d4);
  const V near = NAME(fma)(minus_b, d1, d2), far = NAME(fma)(minus_b, d2, d3);
  o[0] = NAME(fma)(minus_a2, NAME(fma)(minus_b, d0, d1), far);
  o[out] = NAME(fma)(a, near, far);
  o[2 * out] = NAME(fma)(-a, near, far);
  o[3 * out] = odd;
  o[4 * out] = NAME(fma)(minus_b, odd, even);
}

/// Aᵀ of F(4,3): output i is Σ pointⁱ · product; the last output also includes the product of ∞.
INLINE void NAME(output_3_4)(const V *p, size_t stride, V *y, size_t out) {
  const V plus_a = p[stride] + p[2 * stride], minus_a = p[stride] - p[2 * stride];
  const V plus_b = p[3 * stride] + p[4 * stride], minus_b = p[3 * stride] - p[4 * stride];
  const V a = NAME(splat)(A1), b = NAME(splat)(B1), a2 = NAME(splat)(A2), b2 = NAME(splat)(B2);
  const V a3 = NAME(splat)(A2 * A1), b3 = NAME(splat)(B2 * B1);
  y[0] = p[0] + plus_a + plus_b;
  y[out] = NAME(fma)(a, minus_a, b * minus_b);
  y[2 * out] = NAME(fma)(a2, plus_a, b2 * plus_b);
  y[3 * out] = NAME(fma)(a3, minus_a, NAME(fma)(b3, minus_b, p[5 * stride]));
}

/// Aᵀ of F(4,2).
INLINE void NAME(output_2_4)(const V *p, size_t stride, V *y, size_t out) {
  const V plus_a = p[stride] + p[2 * stride], minus_a = p[stride] - p[2 * stride], at_b = p[3 * stride];
  const V a = NAME(splat)(A1), b = NAME(splat)(B1), a2 = NAME(splat)(A2), b2 = NAME(splat)(B2);
  const V a3 = NAME(splat)(A2 * A1), b3 = NAME(splat)(B2 * B1);
  y[0] = p[0] + plus_a + at_b;
  y[out] = NAME(fma)(a, minus_a, b * at_b);
  y[2 * out] = NAME(fma)(a2, plus_a, b2 * at_b);
  y[3 * out] = NAME(fma)(a3, minus_a, NAME(fma)(b3, at_b, p[4 * stride]));
}

#undef A1
#undef B1
#undef A2
#undef B2
