// Winograd's F(4 × 4, 3 × 3) for 8-bit codes, exact in integers: six points per dimension, 0, 1, −1, 2, −½ and ∞.
//
//     4 · 225 · y = Aᵀ · Σ ((G · w · Gᵀ) ∘ (Bᵀ · x · B)) · A
//
// Both transforms are whole numbers of 16 bits: |Bᵀ · x · B| ≤ 14 · 14 / 2 · 255, |G · w · Gᵀ| ≤ 15 · 15 · 128. Sums of products are
// taken modulo 2³². There 225 has an inverse, so 4 · y remains, which 32 bits hold for 1 800 channels: y is the sum of the direct
// convolution. Other points have denominators with more factors of two, and would leave less room.
//
// > Source: A. Lavin, S. Gray. “Fast Algorithms for Convolutional Neural Networks.” CVPR 2016. arXiv:1509.09308.
enum { CODE_POINTS = 6, CODE_TILE = 4 };

/// Bᵀ · d for six values `step` apart; the result may not overlap them.
INLINE void NAME(code_points)(const VS *d, const size_t step, VS *r, const size_t to) {
  const VS d1 = d[step], d2 = d[2 * step], d3 = d[3 * step];
  const VS p = d1 - d3, q = d2 - d[4 * step];
  const VS p2 = p + p, q2 = q + q;
  const VS a = d[0] - d2 - q, b = d[5 * step] - d3 + p, c = d1 + d2, e = d2 - d3;
  r[0] = a + a + p2 + p;
  r[to] = q2 - p + c + c + c;
  r[2 * to] = p2 - q2 + e + e + e;
  r[3 * to] = p + q2;
  r[4 * to] = q - p2;
  r[5 * to] = b + b + q2 + q;
}

/// Transforms tiles first ..< last of a map: 4 × 4 pixels each, and one more on each side. Of a group of up to LANES quads the first and
/// third codes of each come first, then the second and fourth.
static void NAME(code_winograd_input)(const ck_code_winograd *w) {
  const ck_code_convolution *p = &w->call;
  const size_t across = (p->pixels + CODE_TILE - 1) / CODE_TILE;
  for (size_t tile = w->first; tile < w->last; tile++) {
    const size_t line = tile / across * CODE_TILE, pixel = tile % across * CODE_TILE;
    const uint8_t *lines[CODE_POINTS];
    size_t columns[CODE_POINTS];
    // Results beyond the map are not used, so any codes do for what only they read.
    for (size_t i = 0; i < CODE_POINTS; i++) {
      const size_t below = line + i <= p->lines + 1 ? line + i : p->lines + 1;
      const size_t right = pixel + i <= p->pixels + 1 ? pixel + i : p->pixels + 1;
      lines[i] = p->x + below * p->x_line_stride - p->x_line_stride;
      columns[i] = right * p->x_pixel_stride - p->x_pixel_stride;
    }
    for (size_t first = 0; first < p->quads; first += LANES) {
      const size_t n = p->quads - first < LANES ? p->quads - first : LANES;
      int16_t *to = w->transformed + tile * 4 * p->quads + 4 * first;
      for (size_t half = 0; half < 2; half++, to += 2 * n) {
        VS down[CODE_POINTS][CODE_POINTS];
        for (size_t column = 0; column < CODE_POINTS; column++) {
          VS codes[CODE_POINTS];
#pragma clang loop unroll(full)
          for (size_t i = 0; i < CODE_POINTS; i++) {
            const uint8_t *from = lines[i] + columns[column] + 4 * first;
            VU four = {0};
            if (n == LANES) memcpy(&four, from, sizeof four); else memcpy(&four, from, 4 * n);
            codes[i] = (VS)((half ? four >> 8 : four) & 0x00FF00FF);
          }
          NAME(code_points)(codes, 1, &down[0][column], CODE_POINTS);
        }
        for (size_t row = 0; row < CODE_POINTS; row++) {
          VS out[CODE_POINTS];
          NAME(code_points)(down[row], 1, out, 1);
          for (size_t column = 0; column < CODE_POINTS; column++) {
            int16_t *at = to + (CODE_POINTS * row + column) * w->position_stride;
            // So many lines are written at once that the next but one tile's are fetched early.
            __builtin_prefetch(at + 8 * p->quads, 1, 3);
            if (n == LANES) memcpy(at, &out[column], sizeof(VS)); else memcpy(at, &out[column], 4 * n);
          }
        }
      }
    }
  }
}
