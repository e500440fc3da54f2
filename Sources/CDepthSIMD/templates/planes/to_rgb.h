// Converts rows of luma and chroma to interleaved RGB.

/// Sample i of a row of bytes, or of pairs of bytes.
INLINE int32_t NAME(sample)(const uint8_t *row, bool wide, size_t i) {
  return wide ? row[2 * i] | row[2 * i + 1] << 8 : row[i];
}

INLINE void NAME(chroma_between_of)(size_t n, bool wide, int32_t zero, int32_t share,
                                    const uint8_t *restrict upper, const uint8_t *restrict lower,
                                    int32_t *restrict line) {
  for (size_t i = 0; i < n; i++)
    line[i] = (4 - share) * NAME(sample)(upper, wide, i) + share * NAME(sample)(lower, wide, i) - 4 * zero;
}

static void NAME(chroma_between)(size_t n, const ck_planes_to_rgb *c, int32_t share, const uint8_t *upper,
                                 const uint8_t *lower, int32_t *line) {
  if (c->wide)
    NAME(chroma_between_of)(n, true, c->zero, share, upper, lower, line);
  else
    NAME(chroma_between_of)(n, false, c->zero, share, upper, lower, line);
}

INLINE void NAME(chroma_across_by)(size_t n, const size_t step, const int32_t *w,
                                   const int32_t *restrict line, int32_t *restrict pixels) {
  int32_t weights[12];
  memcpy(weights, w, 3 * step * sizeof(int32_t));
  for (size_t i = 0; i < n; i++)
    for (size_t p = 0; p < step; p++)
      pixels[step * i + p] = weights[3 * p] * (line - 1)[i] + weights[3 * p + 1] * line[i] +
                             weights[3 * p + 2] * line[i + 1];
}

static void NAME(chroma_across)(size_t n, size_t step, const int32_t *w, const int32_t *line,
                                int32_t *pixels) {
  switch (step) {
    case 1: NAME(chroma_across_by)(n, 1, w, line, pixels); break;
    case 2: NAME(chroma_across_by)(n, 2, w, line, pixels); break;
    default: NAME(chroma_across_by)(n, 4, w, line, pixels);
  }
}

/// A value in 2⁻²⁰ of a level as a byte.
INLINE uint8_t NAME(level)(int32_t value) {
  value >>= 20;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

INLINE void NAME(rgb_row_of)(size_t n, bool wide, ck_planes_to_rgb c, const uint8_t *restrict luma,
                             const int32_t *restrict blue, const int32_t *restrict red,
                             uint8_t *restrict rgb) {
  for (size_t i = 0; i < n; i++) {
    const int32_t light = (NAME(sample)(luma, wide, i) - c.black) * 16 * c.luma + (1 << 19);
    rgb[3 * i] = NAME(level)(light + c.red_from_red * red[i]);
    rgb[3 * i + 1] = NAME(level)(light + c.green_from_blue * blue[i] + c.green_from_red * red[i]);
    rgb[3 * i + 2] = NAME(level)(light + c.blue_from_blue * blue[i]);
  }
}

static void NAME(rgb_row)(size_t n, const ck_planes_to_rgb *c, const uint8_t *luma, const int32_t *blue,
                          const int32_t *red, uint8_t *rgb) {
  if (c->wide)
    NAME(rgb_row_of)(n, true, *c, luma, blue, red, rgb);
  else
    NAME(rgb_row_of)(n, false, *c, luma, blue, red, rgb);
}
