// Products of four bytes per lane, whatever instructions the set has.
#if !defined(CODES_DPBUSD) && !defined(CODES_MADD)
#define CODES_MADD(a, b)                                            \
  ((((VI)(a) << 16) >> 16) * (((VI)(b) << 16) >> 16) + ((VI)(a) >> 16) * ((VI)(b) >> 16))
#endif

/// Adds to each lane the four products of its bytes: unsigned codes of `a`, signed weights of `b`.
INLINE VI NAME(dot)(VI sum, VI a, VI b) {
#if defined(CODES_DPBUSD)
  return CODES_DPBUSD(sum, a, b);
#else
  // Bytes 0 and 2, then 1 and 3, widened to 16 bits: two exact products and their sum per lane.
  const VI even = a & 0x00FF00FF, odd = (VI)((VU)a >> 8) & 0x00FF00FF;
  const VI b_even = (VI)((VS)((VS)b << 8) >> 8), b_odd = (VI)((VS)b >> 8);
  return sum + CODES_MADD(even, b_even) + CODES_MADD(odd, b_odd);
#endif
}
