// Depth-image-based rendering, one row at a time and in integers, so that every instruction set, thread count and
// mirror image gives the same bits.
//
// Positions along a row are in 1/64 pixel. `shift[x]` moves source pixel x to p(x) = 64·x + shift[x]; nearer pixels have
// larger shifts. If two source pixels have one target, the left pixel has moved farther and is nearer. Writing from right to
// left therefore keeps the nearest pixel without depth comparisons (J. Zimandl, "Stereo Photo from Depth Photo": "process
// front pixel last").

#define WARP_ONE 64
#define WARP_HOLE (-1)

static void NAME(parallax_line)(
    size_t n, bool reciprocal, float scale, float offset, float limit, const float *restrict depth,
    int32_t *restrict line) {
  // Adding and subtracting 1.5·2²³ rounds to the nearest integer, ties to even.
  const float magic = 12582912.0f;
  for (size_t i = 0; i < n; i++) {
    float v = (reciprocal ? 1.0f / depth[i] : depth[i]) * scale + offset;
    v = v < limit ? v : limit;
    v = v > -limit ? v : -limit;
    line[i] = (int32_t)((v + magic) - magic);
  }
}

static void NAME(line_maximum)(size_t n, const int32_t *restrict x, int32_t *restrict y) {
  for (size_t i = 0; i < n; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
}

static void NAME(widen_line)(
    size_t n, ptrdiff_t radius, int32_t step, const int32_t *restrict highest, const int32_t *restrict line,
    int32_t *restrict widened) {
  for (size_t i = 0; i < n; i++) widened[i] = highest[i];
  for (ptrdiff_t k = 1; k <= radius; k++)
    for (size_t i = 0; i < n; i++) {
      const int32_t left = highest[(ptrdiff_t)i - k], right = highest[(ptrdiff_t)i + k];
      const int32_t side = left > right ? left : right;
      widened[i] = side > widened[i] ? side : widened[i];
    }
  for (size_t i = 0; i < n; i++) widened[i] = widened[i] - line[i] > step ? widened[i] : line[i];
}

static void NAME(eye_line)(
    size_t n, int32_t share, bool mirrored, const int32_t *restrict line, int32_t *restrict shift) {
  if (mirrored)
    for (size_t i = 0; i < n; i++) shift[i] = (line[n - 1 - i] * share + 128) >> 8;
  else
    for (size_t i = 0; i < n; i++) shift[i] = (line[i] * share + 128) >> 8;
}

/// Writes the target, if any, in the half pixel from `position`.
static inline void NAME(splat_half)(int32_t position, int32_t value, int32_t *source) {
  const int32_t target = (position + WARP_ONE - 1) >> 6;
  if (target * WARP_ONE - position < WARP_ONE / 2) source[target] = value;
}

/// The lookup position, relative to the interval's source pixel, of a target `along` an interval of `length`.
static inline int32_t NAME(looked_up)(int32_t along, int32_t length) {
  return (int32_t)((float)(along * WARP_ONE) / (float)length + 0.5f);
}

/// Warps one interval between source pixels x and x + 1. Pixel x + 1 moves to `right`. Returns the new position of
/// pixel x.
static inline int32_t NAME(warp_interval)(
    ptrdiff_t x, int32_t right, int32_t stretch, const int32_t *restrict shift, int32_t *restrict source) {
  const int32_t here = (int32_t)x * WARP_ONE, left = here + shift[x];
  const int32_t length = right - left;
  if ((uint32_t)(length - 1) < (uint32_t)stretch) {
    // One surface: targets between the two pixels interpolate their positions.
    int32_t target = (left + WARP_ONE - 1) >> 6;
    for (int32_t along = target * WARP_ONE - left; along < length; along += WARP_ONE)
      source[target++] = here + NAME(looked_up)(along, length);
    return left;
  }
  // A depth edge: each side covers half a pixel beyond its own center.
  NAME(splat_half)(right - WARP_ONE / 2, here + WARP_ONE, source);
  NAME(splat_half)(left, here, source);
  if (length > 0) {
    // The farther surface must not be visible through a gap inside the nearer surface. If the farther surface is
    // farther behind both sides than the sides are apart, the target stays a hole.
    const int32_t apart = shift[x + 1] - shift[x];
    const int32_t begin = (left + WARP_ONE / 2 + WARP_ONE - 1) >> 6;
    const int32_t end = (right - WARP_ONE / 2 + WARP_ONE - 1) >> 6;
    for (int32_t target = begin; target < end; target++) {
      const int32_t behind = source[target];
      if (behind >= 0 && shift[x] - shift[behind >> 6] > apart) source[target] = WARP_HOLE;
    }
  }
  return left;
}

typedef int32_t NAME(ints8) __attribute__((vector_size(32), aligned(4)));
typedef float NAME(floats8) __attribute__((vector_size(32), aligned(4)));

static void NAME(warp_line)(
    ptrdiff_t n, int32_t stretch, const int32_t *restrict shift, int32_t *restrict source) {
  const NAME(ints8) ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  int32_t right = (int32_t)(n - 1) * WARP_ONE + shift[n - 1];
  NAME(splat_half)(right, (int32_t)(n - 1) * WARP_ONE, source);
  ptrdiff_t x = n - 2;
  while (x >= 0) {
    const ptrdiff_t first = x - 7;
    if (first >= 0 && stretch >= 2 * WARP_ONE) {
      // If nine neighbors' shifts round up to the same integer, every interval between the neighbors contains
      // exactly one target, and eight targets are computed at once.
      const NAME(ints8) here = *(const NAME(ints8) *)(shift + first);
      const NAME(ints8) next = *(const NAME(ints8) *)(shift + first + 1);
      const int32_t whole = (shift[x + 1] + WARP_ONE - 1) >> 6;
      if (__builtin_reduce_or(((here + (WARP_ONE - 1)) >> 6) ^ whole) == 0) {
        const NAME(floats8) along = __builtin_convertvector((whole * WARP_ONE - here) * WARP_ONE, NAME(floats8));
        const NAME(floats8) length = __builtin_convertvector(WARP_ONE + next - here, NAME(floats8));
        *(NAME(ints8) *)(source + first + whole) =
            ((int32_t)first + ramp) * WARP_ONE + __builtin_convertvector(along / length + 0.5f, NAME(ints8));
        right = (int32_t)first * WARP_ONE + shift[first];
        x = first - 1;
        continue;
      }
    }
    const ptrdiff_t last = first > 0 ? first : 0;
    for (; x >= last; x--) right = NAME(warp_interval)(x, right, stretch, shift, source);
  }
  NAME(splat_half)(right - WARP_ONE / 2, 0, source);
}

static void NAME(mirror_source)(size_t n, const int32_t *restrict source, int32_t *restrict mirrored) {
  const int32_t last = (int32_t)(n - 1) * WARP_ONE;
  for (size_t i = 0; i < n; i++) {
    const int32_t u = source[n - 1 - i];
    mirrored[i] = u < 0 ? WARP_HOLE : last - u;
  }
}

static size_t NAME(hole_line)(size_t n, const int32_t *restrict source, uint8_t *restrict mask) {
  uint32_t holes = 0;
  for (size_t i = 0; i < n; i++) {
    mask[i] = source[i] < 0 ? 255 : 0;
    holes += source[i] < 0;
  }
  return holes;
}

typedef uint8_t NAME(bytes16) __attribute__((vector_size(16), aligned(1)));
typedef int16_t NAME(shorts16) __attribute__((vector_size(32), aligned(2)));
typedef int16_t NAME(shorts8) __attribute__((vector_size(16), aligned(2)));
typedef uint8_t NAME(bytes8) __attribute__((vector_size(8), aligned(1)));

/// The four weighted taps around one source position, as two sets of red, green, blue and an ignored lane.
static inline NAME(shorts8) NAME(weighted_taps)(
    int32_t position, const uint8_t *restrict row, const int16_t *restrict weights) {
  const NAME(bytes16) taps = *(const NAME(bytes16) *)(row + (position >> 6) * 3);
  const NAME(bytes16) spread =
      __builtin_shufflevector(taps, taps, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
  const NAME(shorts16) products = __builtin_convertvector(spread, NAME(shorts16)) *
                                  *(const NAME(shorts16) *)(weights + (position & 63) * 16);
  return __builtin_shufflevector(products, products, 0, 1, 2, 3, 4, 5, 6, 7) +
         __builtin_shufflevector(products, products, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline NAME(bytes8) NAME(rounded_pair)(NAME(shorts8) a, NAME(shorts8) b) {
  const NAME(shorts8) zero = {0}, half = zero + 32, white = zero + 255;
  NAME(shorts8) sum = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
                      __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  sum = (sum + half) >> 6;
  sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, zero), white);
  return __builtin_convertvector(sum, NAME(bytes8));
}

static inline int32_t NAME(or_first)(int32_t position) { return position < 0 ? 0 : position; }

static void NAME(sample_line)(
    size_t n, const uint8_t *restrict row, const int16_t *restrict weights, const int32_t *restrict source,
    uint8_t *restrict out) {
  size_t i = 0;
  // Each step stores four pixels as 16 bytes. The next step overwrites the last four bytes.
  for (; i + 6 <= n; i += 4) {
    const NAME(bytes8) first = NAME(rounded_pair)(
        NAME(weighted_taps)(NAME(or_first)(source[i]), row, weights),
        NAME(weighted_taps)(NAME(or_first)(source[i + 1]), row, weights));
    const NAME(bytes8) second = NAME(rounded_pair)(
        NAME(weighted_taps)(NAME(or_first)(source[i + 2]), row, weights),
        NAME(weighted_taps)(NAME(or_first)(source[i + 3]), row, weights));
    *(NAME(bytes16) *)(out + 3 * i) = __builtin_shufflevector(
        first, second, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
  }
  for (; i < n; i++) {
    const NAME(shorts8) taps = NAME(weighted_taps)(NAME(or_first)(source[i]), row, weights);
    const NAME(bytes8) rgb = NAME(rounded_pair)(taps, taps);
    for (int channel = 0; channel < 3; channel++) out[3 * i + channel] = rgb[channel];
  }
}
