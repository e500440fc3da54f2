// The check sum of zlib streams (RFC 1950, section 8): a = 1 + Σ x, b = Σ of all the values that a takes,
// both modulo 65521.

static uint32_t NAME(adler32)(size_t n, const uint8_t *x) {
  typedef uint32_t sums __attribute__((vector_size(LANES * sizeof(uint32_t))));
  typedef uint8_t group __attribute__((vector_size(LANES), aligned(1), may_alias));
  enum { modulus = 65521, longest = 4096 };  // 255 · 4096² / 2 and its like stay below 2³²
  uint64_t a = 1, b = 0;
  while (n > 0) {
    const size_t count = n < longest ? n : longest, whole = count / LANES;
    // Lane k adds up every LANES-th byte, and all the values that this sum takes.
    sums sum = {0}, sum_of_sums = {0};
    for (size_t i = 0; i < whole; i++) {
      sum_of_sums += sum;
      sum += __builtin_convertvector(*(const group *)(x + i * LANES), sums);
    }
    // A byte counts in b as often as there are bytes from it on: LANES times for every later group, and
    // LANES - k times in its own.
    b += a * (whole * LANES);
    for (size_t k = 0; k < LANES; k++) {
      a += sum[k];
      b += (uint64_t)LANES * sum_of_sums[k] + (LANES - k) * (uint64_t)sum[k];
    }
    for (size_t i = whole * LANES; i < count; i++) b += a += x[i];
    a %= modulus, b %= modulus;
    x += count, n -= count;
  }
  return (uint32_t)(b << 16 | a);
}
