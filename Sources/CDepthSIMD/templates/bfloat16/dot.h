/// Adds to each lane its two products, a[1] · b[1] and then a[0] · b[0].
INLINE V NAME(dot)(V sum, VI a, VI b) {
#if defined(BFLOAT16_DOT)
  return BFLOAT16_DOT(sum, a, b);
#else
  // VDPBF16PS in plain C.
  for (int lane = 0; lane < LANES; lane++) {
    const uint32_t first = (uint32_t)a[lane], second = (uint32_t)b[lane];
    const float odd =
        ck_bfloat16_fma((uint16_t)(first >> 16), (uint16_t)(second >> 16), sum[lane]);
    sum[lane] = ck_bfloat16_fma((uint16_t)first, (uint16_t)second, odd);
  }
  return sum;
#endif
}
