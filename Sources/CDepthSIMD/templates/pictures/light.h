// Averages and mixtures of colors in linear light.

INLINE void NAME(add_area_of)(size_t count, const size_t taps, const ptrdiff_t *restrict first,
                              const float *restrict weights, float share, const float *restrict linear,
                              const uint8_t *restrict rgb, float *restrict sums) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *pixel = rgb + 3 * first[i];
    V4 sum = *(const V4 *)(sums + 4 * i);
    for (size_t t = 0; t < taps; t++, pixel += 3) {
      const V4 light = {linear[pixel[0]], linear[pixel[1]], linear[pixel[2]], 0};
      sum += (share * weights[i * taps + t]) * light;
    }
    *(V4 *)(sums + 4 * i) = sum;
  }
}

static void NAME(add_area)(size_t count, size_t taps, const ptrdiff_t *restrict first,
                           const float *restrict weights, float share, const float *restrict linear,
                           const uint8_t *restrict rgb, float *restrict sums) {
  // Half size and the same size are specialized, without a loop over the taps.
  if (taps == 1)
    NAME(add_area_of)(count, 1, first, weights, share, linear, rgb, sums);
  else if (taps == 2)
    NAME(add_area_of)(count, 2, first, weights, share, linear, rgb, sums);
  else
    NAME(add_area_of)(count, taps, first, weights, share, linear, rgb, sums);
}

static void NAME(code_light)(size_t count, const uint8_t *restrict codes, const float *restrict thresholds,
                             float *restrict sums, uint8_t *restrict out) {
  // The upper 16 bits of 2^-13.
  enum { first_bits = (127 - 13) << 7 };
  const V4 zero = {0}, least = zero + 0x1p-13f, most = zero + 1;
  for (size_t i = 0; i < count; i++) {
    const V4 sum = *(const V4 *)(sums + 4 * i);
    *(V4 *)(sums + 4 * i) = zero;
    const V4 light = __builtin_elementwise_min(__builtin_elementwise_max(sum, least), most);
    const VI4 index = ((VI4)light >> 16) - first_bits;
    for (int c = 0; c < 3; c++) {
      const uint8_t code = codes[index[c]];
      out[3 * i + c] = (uint8_t)(code + (light[c] >= thresholds[code + 1]));
    }
  }
}

static void NAME(mix_row)(size_t count, const float *restrict products, float steps,
                          const uint8_t *restrict coded, const uint8_t *restrict left,
                          const uint8_t *restrict right, uint8_t *restrict out) {
#define MIX_PRODUCT(table, byte) *(const V4 *)(products + 4 * (256 * (table) + (byte)))
  const V4 zero = {0}, most = zero + steps;
  for (size_t i = 0; i < 3 * count; i += 3) {
    const V4 a = MIX_PRODUCT(0, left[i]) + MIX_PRODUCT(1, left[i + 1]) + MIX_PRODUCT(2, left[i + 2]);
    const V4 b = MIX_PRODUCT(3, right[i]) + MIX_PRODUCT(4, right[i + 1]) + MIX_PRODUCT(5, right[i + 2]);
    const V4 light = __builtin_elementwise_min(__builtin_elementwise_max(a + b, zero), most);
    const VI4 index = __builtin_convertvector(light + 0.5f, VI4);
    for (int c = 0; c < 3; c++) out[i + c] = coded[index[c]];
  }
#undef MIX_PRODUCT
}
