// Converts rows of interleaved RGB to luma and chroma.

static void NAME(luma_row)(size_t n, const ck_rgb_to_planes *c, const uint8_t *restrict rgb,
                           uint8_t *restrict luma) {
  if (c->wide) {
    const uint64_t red = (uint64_t)c->red, green = (uint64_t)c->green, blue = (uint64_t)c->blue;
    const uint32_t black = (uint32_t)c->black;
    for (size_t i = 0; i < n; i++) {
      const uint64_t sum = red * rgb[3 * i] + green * rgb[3 * i + 1] + blue * rgb[3 * i + 2] + (1 << 23);
      const uint32_t sample = (uint32_t)(sum >> 24) + black;
      luma[2 * i] = (uint8_t)sample;
      luma[2 * i + 1] = (uint8_t)(sample >> 8);
    }
    return;
  }
  // The sum is at most 255·2²⁴ + 2²³ and fits 32 bits.
  const uint32_t red = (uint32_t)c->red, green = (uint32_t)c->green, blue = (uint32_t)c->blue;
  const uint32_t black = (uint32_t)c->black;
  for (size_t i = 0; i < n; i++) {
    const uint32_t sum = red * rgb[3 * i] + green * rgb[3 * i + 1] + blue * rgb[3 * i + 2] + (1 << 23);
    luma[i] = (uint8_t)((sum >> 24) + black);
  }
}

INLINE void NAME(color_sums_of)(size_t n, const size_t count, const uint8_t *const *rows,
                                const int32_t *weights, int32_t *restrict red, int32_t *restrict green,
                                int32_t *restrict blue) {
  const uint8_t *row[4];
  int32_t weight[4];
  for (size_t t = 0; t < count; t++) {
    row[t] = rows[t];
    weight[t] = weights[t];
  }
  for (size_t i = 0; i < n; i++) {
    int32_t r = 0, g = 0, b = 0;
    for (size_t t = 0; t < count; t++) {
      r += weight[t] * row[t][3 * i];
      g += weight[t] * row[t][3 * i + 1];
      b += weight[t] * row[t][3 * i + 2];
    }
    red[i] = r;
    green[i] = g;
    blue[i] = b;
  }
}

static void NAME(color_sums)(size_t n, size_t count, const uint8_t *const *rows, const int32_t *weights,
                             int32_t *red, int32_t *green, int32_t *blue) {
  switch (count) {
    case 1: NAME(color_sums_of)(n, 1, rows, weights, red, green, blue); break;
    case 2: NAME(color_sums_of)(n, 2, rows, weights, red, green, blue); break;
    case 3: NAME(color_sums_of)(n, 3, rows, weights, red, green, blue); break;
    default: NAME(color_sums_of)(n, 4, rows, weights, red, green, blue);
  }
}

/// A chroma sample from a color and the light, in sixteenths of a level.
INLINE int32_t NAME(chroma_sample)(int32_t color, int32_t light, int32_t scale, int32_t zero, int32_t top) {
  // Color and light are in 2⁻¹² of a level, so both factors fit in 32 bits and products in 64 bits.
  const int64_t difference = (int64_t)((color << 8) - light) * scale;
  const int32_t sample = (int32_t)((difference + ((int64_t)1 << 35)) >> 36) + zero;
  return sample < 0 ? 0 : sample > top ? top : sample;
}

INLINE void NAME(put_sample)(uint8_t *row, bool wide, size_t i, int32_t sample) {
  if (wide) {
    row[2 * i] = (uint8_t)sample;
    row[2 * i + 1] = (uint8_t)(sample >> 8);
  } else {
    row[i] = (uint8_t)sample;
  }
}

INLINE void NAME(chroma_row_of)(size_t n, bool wide, const size_t step, ck_rgb_to_planes c,
                                const int32_t *weights, const int32_t *restrict red,
                                const int32_t *restrict green, const int32_t *restrict blue,
                                uint8_t *restrict cb, uint8_t *restrict cr) {
  const int32_t w[4] = {weights[0], weights[1], weights[2], weights[3]};
  const uint64_t lights[3] = {(uint64_t)c.light_red, (uint64_t)c.light_green, (uint64_t)c.light_blue};
  for (size_t i = 0; i < n; i++) {
    int32_t r = 0, g = 0, b = 0;
    for (size_t t = 0; t < 4; t++) {
      r += w[t] * red[step * i + t];
      g += w[t] * green[step * i + t];
      b += w[t] * blue[step * i + t];
    }
    const int32_t light = (int32_t)(
        (lights[0] * (uint32_t)r + lights[1] * (uint32_t)g + lights[2] * (uint32_t)b) >> 16);
    NAME(put_sample)(cb, wide, i, NAME(chroma_sample)(b, light, c.blue_scale, c.zero, c.top));
    NAME(put_sample)(cr, wide, i, NAME(chroma_sample)(r, light, c.red_scale, c.zero, c.top));
  }
}

static void NAME(chroma_row)(size_t n, const ck_rgb_to_planes *c, size_t step, const int32_t *w,
                             const int32_t *red, const int32_t *green, const int32_t *blue, uint8_t *cb,
                             uint8_t *cr) {
  if (c->wide) {
    // The compiler specializes the loop for each step.
    switch (step) {
      case 1: NAME(chroma_row_of)(n, true, 1, *c, w, red, green, blue, cb, cr); break;
      case 2: NAME(chroma_row_of)(n, true, 2, *c, w, red, green, blue, cb, cr); break;
      default: NAME(chroma_row_of)(n, true, 4, *c, w, red, green, blue, cb, cr);
    }
  } else {
    switch (step) {
      case 1: NAME(chroma_row_of)(n, false, 1, *c, w, red, green, blue, cb, cr); break;
      case 2: NAME(chroma_row_of)(n, false, 2, *c, w, red, green, blue, cb, cr); break;
      default: NAME(chroma_row_of)(n, false, 4, *c, w, red, green, blue, cb, cr);
    }
  }
}
