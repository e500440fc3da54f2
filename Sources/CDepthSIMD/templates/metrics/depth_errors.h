// Errors of predicted depth p against true depth y, summed in 64 bits: Σ |p-y|/y, Σ (p-y)², Σ d, Σ |d|, Σ d²
// with d = ln(p/y), and the number with max(p/y, y/p) < 1.25^k.

/// Vectors of doubles, of 64-bit integers, and of the same number of floats.
#define HALF (LANES / 2)
typedef double NAME(doubles) __attribute__((vector_size(HALF * sizeof(double)), aligned(4)));
typedef uint64_t NAME(words) __attribute__((vector_size(HALF * sizeof(uint64_t)), aligned(4)));
typedef int64_t NAME(masks) __attribute__((vector_size(HALF * sizeof(int64_t)), aligned(4)));
typedef float NAME(floats) __attribute__((vector_size(HALF * sizeof(float)), aligned(4)));
#define VD NAME(doubles)
#define VW NAME(words)
#define VF NAME(floats)

INLINE VD NAME(select)(VW mask, VD yes, VD no) {
  return (VD)((mask & (VW)yes) | (~mask & (VW)no));
}

INLINE VD NAME(absolute)(VD x) { return (VD)((VW)x & ~((VW){0} + (1ull << 63))); }

/// ln x for positive normal x, within a few ulp: x = 2^k · m with m in √½…√2, and ln m = 2 artanh s = 2 (s +
/// s³/3 + s⁵/5 + …) with s = (m-1)/(m+1), |s| < 0.172.
INLINE VD NAME(logarithm)(VD x) {
  const uint64_t half = 0x3fe6a09e667f3bcd;  // √½
  const VW biased = ((VW)x - half + (1023ull << 52)) >> 52;
  const VD m = (VD)((VW)x - ((biased - 1023) << 52));
  // Replacing the low bits of 2^52 by an integer below 2^52 adds this integer.
  const VD k = (VD)(biased | 0x4330000000000000ull) - (0x1p52 + 1023);
  const VD s = (m - 1) / (m + 1);
  const VD z = s * s;
  VD series = z * (1. / 19) + (1. / 17);
  series = series * z + (1. / 15);
  series = series * z + (1. / 13);
  series = series * z + (1. / 11);
  series = series * z + (1. / 9);
  series = series * z + (1. / 7);
  series = series * z + (1. / 5);
  series = series * z + (1. / 3);
  return k * 0x1.62e42fefa39efp-1 + 2 * (s + s * z * series);
}

typedef struct {
  VD relative, squared, log, absolute_log, squared_log;
  VW count, within[3];
} NAME(error_sums);

/// Adds the errors of a vector of pixels: true depths `t`, predicted depths `p`.
INLINE void NAME(add_errors)(NAME(error_sums) *sums, VD p, VF t, float nearest, float farthest) {
  const VW mask =
      (VW)__builtin_convertvector((t > nearest) & (t < farthest), NAME(masks));
  const VD one = (VD){0} + 1;
  // Pixels that are not evaluated are replaced by exact predictions, which add nothing.
  const VD y = NAME(select)(mask, __builtin_convertvector(t, VD), one);
  p = NAME(select)(mask, p, one);
  const VD difference = p - y;
  const VD ratio = p / y;
  const VD d = NAME(logarithm)(ratio);
  sums->relative += NAME(absolute)(ratio - one);
  sums->squared += difference * difference;
  sums->log += d;
  sums->absolute_log += NAME(absolute)(d);
  sums->squared_log += d * d;
  sums->count -= mask;
  const VW farther = (VW)(p > y);
  const VD larger = NAME(select)(farther, p, y);
  const VD smaller = NAME(select)(farther, y, p);
  sums->within[0] -= mask & (VW)(larger < 1.25 * smaller);
  sums->within[1] -= mask & (VW)(larger < 1.5625 * smaller);
  sums->within[2] -= mask & (VW)(larger < 1.953125 * smaller);
}

INLINE double NAME(sum_of)(VD v) {
  double sum = 0;
  for (int i = 0; i < HALF; i++) sum += v[i];
  return sum;
}

INLINE uint64_t NAME(count_of)(VW v) {
  uint64_t sum = 0;
  for (int i = 0; i < HALF; i++) sum += v[i];
  return sum;
}

static void NAME(depth_errors)(size_t n, const double *p, const float *y, float nearest,
                               float farthest, ck_depth_errors *total) {
  NAME(error_sums) sums = {0};
  size_t i = 0;
  for (; i + HALF <= n; i += HALF)
    NAME(add_errors)(&sums, *(const VD *)(p + i), *(const VF *)(y + i), nearest, farthest);
  if (i < n) {
    VD rest = {0};
    // The padding has a true depth of 0, which is never evaluated.
    VF truth = {0};
    memcpy(&rest, p + i, (n - i) * sizeof(double));
    memcpy(&truth, y + i, (n - i) * sizeof(float));
    NAME(add_errors)(&sums, rest, truth, nearest, farthest);
  }
  total->relative += NAME(sum_of)(sums.relative);
  total->squared += NAME(sum_of)(sums.squared);
  total->log += NAME(sum_of)(sums.log);
  total->absolute_log += NAME(sum_of)(sums.absolute_log);
  total->squared_log += NAME(sum_of)(sums.squared_log);
  total->count += NAME(count_of)(sums.count);
  for (int k = 0; k < 3; k++) total->within[k] += NAME(count_of)(sums.within[k]);
}

#undef VD
#undef VW
#undef VF
#undef HALF
