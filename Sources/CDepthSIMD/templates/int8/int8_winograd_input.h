// Winograd's F(4 × 4, 3 × 3) for 8-bit quantized values, exact in integers: six points per dimension, 0, 1, −1, 2, −½ and ∞.
//
//     4 · 225 · y = Aᵀ · Σ ((G · w · Gᵀ) ∘ (Bᵀ · x · B)) · A
//
// Both transforms are 16-bit integers: |Bᵀ · x · B| ≤ 14 · 14 / 2 · 255, |G · w · Gᵀ| ≤ 15 · 15 · 128. Sums of products are
// taken modulo 2³², where 225 has an inverse. The remaining 4 · y fits 32 bits for 1 800 channels, so y is the sum of the
// direct convolution. Denominators of other points have more factors of two and leave less room.
//
// > Source: A. Lavin, S. Gray. “Fast Algorithms for Convolutional Neural Networks.” CVPR 2016. arXiv:1509.09308.
enum { INT8_POINTS = 6, INT8_TILE = 4 };

/// Computes Bᵀ · d for six values `stride` apart. The result must not overlap the values.
INLINE void NAME(int8_points)(const VS *d, const size_t stride, VS *r, const size_t to) {
  const VS d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride];
  const VS p = d1 - d3, q = d2 - d[4 * stride];
  const VS p2 = p + p, q2 = q + q;
  const VS a = d[0] - d2 - q, b = d[5 * stride] - d3 + p, c = d1 + d2, e = d2 - d3;
  r[0] = a + a + p2 + p;
  r[to] = q2 - p + c + c + c;
  r[2 * to] = p2 - q2 + e + e + e;
  r[3 * to] = p + q2;
  r[4 * to] = q - p2;
  r[5 * to] = b + b + q2 + q;
}

/// Transforms tiles first ..< last of a map. A tile has 4 × 4 pixels, and one more pixel on each side. A group of up to LANES
/// quads contains the first and third quantized values of all quads, followed by the second and fourth.
static void NAME(int8_winograd_input)(const ck_int8_winograd *w) {
  const ck_int8_convolution *p = &w->call;
  const size_t across = (p->pixels + INT8_TILE - 1) / INT8_TILE;
  for (size_t tile = w->first; tile < w->last; tile++) {
    const size_t line = tile / across * INT8_TILE, pixel = tile % across * INT8_TILE;
    const uint8_t *lines[INT8_POINTS];
    size_t columns[INT8_POINTS];
    // Results beyond the map are unused, so their inputs may be arbitrary.
    for (size_t i = 0; i < INT8_POINTS; i++) {
      const size_t below = line + i <= p->lines + 1 ? line + i : p->lines + 1;
      const size_t right = pixel + i <= p->pixels + 1 ? pixel + i : p->pixels + 1;
      lines[i] = p->x + below * p->x_line_stride - p->x_line_stride;
      columns[i] = right * p->x_pixel_stride - p->x_pixel_stride;
    }
    for (size_t first = 0; first < p->quads; first += LANES) {
      const size_t n = p->quads - first < LANES ? p->quads - first : LANES;
      int16_t *to = w->transformed + tile * 4 * p->quads + 4 * first;
      for (size_t half = 0; half < 2; half++, to += 2 * n) {
        VS down[INT8_POINTS][INT8_POINTS];
        for (size_t column = 0; column < INT8_POINTS; column++) {
          VS quantized[INT8_POINTS];
#pragma clang loop unroll(full)
          for (size_t i = 0; i < INT8_POINTS; i++) {
            const uint8_t *from = lines[i] + columns[column] + 4 * first;
            VU four = {0};
            if (n == LANES) memcpy(&four, from, sizeof four); else memcpy(&four, from, 4 * n);
            quantized[i] = (VS)((half ? four >> 8 : four) & 0x00FF00FF);
          }
          NAME(int8_points)(quantized, 1, &down[0][column], INT8_POINTS);
        }
        for (size_t row = 0; row < INT8_POINTS; row++) {
          VS out[INT8_POINTS];
          NAME(int8_points)(down[row], 1, out, 1);
          for (size_t column = 0; column < INT8_POINTS; column++) {
            int16_t *at = to + (INT8_POINTS * row + column) * w->position_stride;
            // Many cache lines are written at once, so the lines of the second next tile are prefetched.
            __builtin_prefetch(at + 8 * p->quads, 1, 3);
            if (n == LANES) memcpy(at, &out[column], sizeof(VS)); else memcpy(at, &out[column], 4 * n);
          }
        }
      }
    }
  }
}
