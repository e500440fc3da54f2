// The five filters of PNG, one byte per lane, modulo 256: x minus a prediction from a (the same
// byte of the pixel to the left), b (above) and c (above left).
#ifndef PNG_FILTERS
#define PNG_FILTERS 5
#endif

typedef uint8_t NAME(PB)
    __attribute__((vector_size(4 * LANES), aligned(1), may_alias));
typedef uint16_t NAME(PH) __attribute__((vector_size(4 * LANES), may_alias));
#define B NAME(PB)
#define H NAME(PH)

INLINE B NAME(png_predictor)(const int type, B a, B b, B c) {
  switch (type) {
    case 1: return a;
    case 2: return b;
    case 3: return (a & b) + ((a ^ b) >> 1);  // ⌊(a + b) / 2⌋ in eight bits
    case 4: {
      // Paeth: the nearest to a + b - c. The distances of a and b are |b - c| and |a - c|. If both
      // differences have one sign, the distance of c is the sum of these distances. Then c is never nearest,
      // and 255 represents its distance. Otherwise the distance of c is the difference of these distances.
      B pa = __builtin_elementwise_max(b, c) - __builtin_elementwise_min(b, c);
      B pb = __builtin_elementwise_max(a, c) - __builtin_elementwise_min(a, c);
      B pc = __builtin_elementwise_max(pa, pb) - __builtin_elementwise_min(pa, pb);
      pc |= ~((B)(b >= c) ^ (B)(a >= c));
      B left = (B)(pa <= pb) & (B)(pa <= pc), above = ~left & (B)(pb <= pc);
      return (left & a) | (above & b) | (~(left | above) & c);
    }
    default: return (B){0};
  }
}

/// Bytes first - shift ..< first - shift + count of a row, count ≤ 4 · LANES; 0 before its start.
INLINE B NAME(png_edge)(const uint8_t *row, size_t first, size_t count, size_t shift) {
  B v = {0};
  size_t outside = first < shift ? shift - first : 0;
  if (outside < count)
    memcpy((uint8_t *)&v + outside, row + first + outside - shift, count - outside);
  return v;
}

INLINE void NAME(png_add)(H sums[PNG_FILTERS], B x, B a, B b, B c) {
#pragma clang loop unroll(full)
  for (int type = 0; type < PNG_FILTERS; type++) {
    B d = x - NAME(png_predictor)(type, a, b, c);
    H magnitude = (H)__builtin_elementwise_min(d, -d);
    sums[type] += (magnitude & 0xFF) + (magnitude >> 8);
  }
}

/// Adds the lanes' sums to the totals before they overflow: one vector adds at most 288 to a lane.
INLINE void NAME(png_collect)(H sums[PNG_FILTERS], uint64_t totals[PNG_FILTERS]) {
  for (int type = 0; type < PNG_FILTERS; type++) {
    for (size_t lane = 0; lane < 2 * LANES; lane++) totals[type] += sums[type][lane];
    sums[type] = (H){0};
  }
}

INLINE void NAME(png_apply)(const int type, size_t n, size_t bpp, const uint8_t *x,
                            const uint8_t *above, uint8_t *y) {
  const size_t step = 4 * LANES;
  for (size_t i = 0; i < n; i += step) {
    B v, a, b, c;
    size_t count = n - i < step ? n - i : step;
    if (i >= bpp && count == step) {
      v = *(const B *)(x + i), a = *(const B *)(x + i - bpp);
      b = *(const B *)(above + i), c = *(const B *)(above + i - bpp);
      *(B *)(y + i) = v - NAME(png_predictor)(type, a, b, c);
    } else {
      v = NAME(png_edge)(x, i, count, 0), a = NAME(png_edge)(x, i, count, bpp);
      b = NAME(png_edge)(above, i, count, 0), c = NAME(png_edge)(above, i, count, bpp);
      v -= NAME(png_predictor)(type, a, b, c);
      memcpy(y + i, &v, count);
    }
  }
}

/// Filters a row by the type with the smallest total, the lowest type among equals.
INLINE void NAME(png_apply_best)(const uint64_t totals[PNG_FILTERS], size_t n, size_t bpp,
                                 const uint8_t *x, const uint8_t *above, uint8_t *y) {
  uint8_t best = 0;
  for (uint8_t type = 1; type < PNG_FILTERS; type++)
    if (totals[type] < totals[best]) best = type;
  *y++ = best;
  switch (best) {
    case 0: memcpy(y, x, n); break;
    case 1: NAME(png_apply)(1, n, bpp, x, above, y); break;
    case 2: NAME(png_apply)(2, n, bpp, x, above, y); break;
    case 3: NAME(png_apply)(3, n, bpp, x, above, y); break;
    case 4: NAME(png_apply)(4, n, bpp, x, above, y); break;
  }
}

static void NAME(png_filter)(size_t n, size_t bpp, const uint8_t *x, const uint8_t *above,
                             uint8_t *y) {
  const size_t step = 4 * LANES;
  H sums[PNG_FILTERS] = {0};
  uint64_t totals[PNG_FILTERS] = {0};
  for (size_t i = 0, vectors = 0; i < n; i += step) {
    size_t count = n - i < step ? n - i : step;
    if (i >= bpp && count == step)
      NAME(png_add)(sums, *(const B *)(x + i), *(const B *)(x + i - bpp), *(const B *)(above + i),
                    *(const B *)(above + i - bpp));
    else
      NAME(png_add)(sums, NAME(png_edge)(x, i, count, 0),
                    NAME(png_edge)(x, i, count, bpp),
                    NAME(png_edge)(above, i, count, 0),
                    NAME(png_edge)(above, i, count, bpp));
    if (++vectors % 128 == 0) NAME(png_collect)(sums, totals);
  }
  NAME(png_collect)(sums, totals);
  NAME(png_apply_best)(totals, n, bpp, x, above, y);
}

/// The residuals of one filter in bytes i - back ..< i - back + count of a row of 16-bit samples.
INLINE B NAME(png_residual16)(const int type, const uint8_t *x, const uint8_t *above, size_t i,
                              size_t count, size_t back) {
  if (i >= back + 2 && count == 4 * LANES) {
    x += i - back, above += i - back;
    return *(const B *)x - NAME(png_predictor)(type, *(const B *)(x - 2), *(const B *)above,
                                               *(const B *)(above - 2));
  }
  return NAME(png_edge)(x, i, count, back) -
         NAME(png_predictor)(type, NAME(png_edge)(x, i, count, back + 2),
                             NAME(png_edge)(above, i, count, back),
                             NAME(png_edge)(above, i, count, back + 2));
}

// A residual that repeats its predecessor costs almost nothing in deflate. Any other residual costs a code,
// which is longer for larger bytes.
static void NAME(png_filter16)(size_t n, const uint8_t *x, const uint8_t *above, uint8_t *y) {
  const size_t step = 4 * LANES;
  H sums[PNG_FILTERS] = {0};
  uint64_t totals[PNG_FILTERS] = {0};
  for (size_t i = 0, vectors = 0; i < n; i += step) {
    // Residuals beyond the end of the row are zero, so they repeat.
    size_t count = n - i < step ? n - i : step;
#pragma clang loop unroll(full)
    for (int type = 0; type < PNG_FILTERS; type++) {
      B d = NAME(png_residual16)(type, x, above, i, count, 0);
      B last = NAME(png_residual16)(type, x, above, i, count, 2);
      H magnitude = (H)__builtin_elementwise_min(d, -d);
      H cost = (magnitude & 0xFF) + (magnitude >> 8) + 32;
      sums[type] += cost & (H)((H)d != (H)last);
    }
    if (++vectors % 128 == 0) NAME(png_collect)(sums, totals);
  }
  NAME(png_collect)(sums, totals);
  NAME(png_apply_best)(totals, n, 2, x, above, y);
}
#undef B
#undef H
