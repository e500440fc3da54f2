// F(2,3) with the points 0, ±1, ∞ and F(2,2) with 0, 1, ∞ (Lavin & Gray 2015, section 4.1). Bᵀ
// transforms inputs to the factors of the products, Aᵀ transforms products to two outputs. Row p of
// Bᵀ has the coefficients of Π (x - q) over all finite points q ≠ p.

/// Bᵀ of F(2,3): four inputs, four values.
INLINE void NAME(input_3_2)(const V *d, size_t stride, V *o, size_t out) {
  const V d0 = d[0], d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride];
  o[0] = d2 - d0;
  o[out] = d1 + d2;
  o[2 * out] = d2 - d1;
  o[3 * out] = d3 - d1;
}

/// Bᵀ of F(2,2): three inputs, three values.
INLINE void NAME(input_2_2)(const V *d, size_t stride, V *o, size_t out) {
  const V d0 = d[0], d1 = d[stride], d2 = d[2 * stride];
  o[0] = d1 - d0;
  o[out] = d1;
  o[2 * out] = d2 - d1;
}

/// Aᵀ of F(2,3).
INLINE void NAME(output_3_2)(const V *p, size_t stride, V *y, size_t out) {
  const V p1 = p[stride], p2 = p[2 * stride];
  y[0] = p[0] + p1 + p2;
  y[out] = p1 - p2 + p[3 * stride];
}

/// Aᵀ of F(2,2).
INLINE void NAME(output_2_2)(const V *p, size_t stride, V *y, size_t out) {
  const V p1 = p[stride];
  y[0] = p[0] + p1;
  y[out] = p1 + p[2 * stride];
}
