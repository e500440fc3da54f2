// Rows of floats, rounded, as panels of pairs of rows: the two halves of a lane belong to one column and two consecutive rows.
static void NAME(pack_pairs)(size_t rows, size_t pairs, size_t columns, const float *x, size_t stride,
                             uint16_t *panels) {
  for (size_t pair = 0; pair < pairs; pair++, x += 2 * stride)
    for (size_t c = 0; c < columns; c += LANES) {
      // Rows are parts of much longer ones, which no processor expects.
      __builtin_prefetch(x + 8 * stride + c, 0, 3);
      __builtin_prefetch(x + 9 * stride + c, 0, 3);
      V first = {0}, second = {0};
      if (2 * pair < rows) first = NAME(load)(x + c);
      if (2 * pair + 1 < rows) second = NAME(load)(x + stride + c);
      const VU lanes = __builtin_convertvector(NAME(rounded)(first), VU) |
                       __builtin_convertvector(NAME(rounded)(second), VU) << 16;
      memcpy(panels + 2 * ((c / PANEL_WIDTH * pairs + pair) * PANEL_WIDTH + c % PANEL_WIDTH), &lanes,
             sizeof lanes);
    }
}
