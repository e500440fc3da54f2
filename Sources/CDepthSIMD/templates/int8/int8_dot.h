// Products of four bytes per lane, for every instruction set.
#if !defined(INT8_DPBUSD) && !defined(INT8_MADD) && !defined(INT8_SIGNED_DOT)
#define INT8_MADD(a, b)                                            \
  ((((VI)(a) << 16) >> 16) * (((VI)(b) << 16) >> 16) + ((VI)(a) >> 16) * ((VI)(b) >> 16))
#endif

#if defined(INT8_SIGNED_DOT)
/// Quantized values minus 128, as signed bytes.
INLINE VI NAME(centered)(VI quantized) { return quantized ^ (int32_t)0x80808080; }
#endif

/// The initial accumulator for the weights b. With products of signed bytes only, `dot` multiplies quantized values minus 128,
/// and this function adds 128 · Σ b.
INLINE VI NAME(beginning)(VI initial, VI b) {
#if defined(INT8_SIGNED_DOT)
  return initial - INT8_SIGNED_DOT((VI){0}, NAME(centered)((VI){0}), b);
#else
  (void)b;
  return initial;
#endif
}

/// Adds the four products of each lane's bytes: unsigned values of `a`, signed weights of `b`.
INLINE VI NAME(dot)(VI sum, VI a, VI b) {
#if defined(INT8_DPBUSD)
  return INT8_DPBUSD(sum, a, b);
#elif defined(INT8_SIGNED_DOT)
  return INT8_SIGNED_DOT(sum, NAME(centered)(a), b);
#else
  // Bytes 0 and 2, then 1 and 3, widened to 16 bits: two exact products and their sum per lane.
  const VI even = a & 0x00FF00FF, odd = (VI)((VU)a >> 8) & 0x00FF00FF;
  const VI b_even = (VI)((VS)((VS)b << 8) >> 8), b_odd = (VI)((VS)b >> 8);
  return sum + INT8_MADD(even, b_even) + INT8_MADD(odd, b_odd);
#endif
}
