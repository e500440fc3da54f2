// 3×3 maximum pooling of stride 2 on quantized values. A map has one scale, so quantized and real values have
// the same order.

/// The larger of each pair of bytes.
INLINE VC NAME(larger_values)(VC a, VC b) {
  const VC is_larger = (VC)(a > b);
  return (a & is_larger) | (b & ~is_larger);
}

INLINE VC NAME(first_values)(const uint8_t *p, const size_t n) {
  VC quantized = {0};
  if (n == sizeof quantized) memcpy(&quantized, p, sizeof quantized); else memcpy(&quantized, p, n);
  return quantized;
}

static void NAME(int8_max_pool)(const ck_int8_max_pool *p) {
  for (size_t row = p->first; row < p->last; row++) {
    const size_t r0 = 2 * row < p->top ? 0 : 2 * row - p->top;
    const size_t r1 = 2 * row + 3 - p->top < p->height ? 2 * row + 3 - p->top : p->height;
    for (size_t column = 0; column < p->out_width; column++) {
      const size_t c0 = 2 * column < p->left ? 0 : 2 * column - p->left;
      const size_t c1 = 2 * column + 3 - p->left < p->width ? 2 * column + 3 - p->left : p->width;
      uint8_t *out = p->y + row * p->y_line_stride + column * p->y_pixel_stride;
      for (size_t k = 0; k < p->channels; k += sizeof(VC)) {
        const size_t n = p->channels - k < sizeof(VC) ? p->channels - k : sizeof(VC);
        VC best = {0};
        for (size_t r = r0; r < r1; r++) {
          const uint8_t *x = p->x + r * p->x_line_stride + k;
          for (size_t c = c0; c < c1; c++)
            best = NAME(larger_values)(NAME(first_values)(x + c * p->x_pixel_stride, n), best);
        }
        if (n == sizeof(VC)) memcpy(out + k, &best, sizeof best); else memcpy(out + k, &best, n);
      }
    }
  }
}
