// What follows a product of tokens as codes: y = y · step of the row + bias (+ residual), in place, and a GELU where there is one. Every
// operation is rounded by itself, so that all instruction sets agree to the bit.
static void NAME(token_results)(size_t rows, size_t columns, float *y, size_t stride,
                                const float *steps, const ck_epilogue *e, bool gelu) {
  for (size_t row = 0; row < rows; row++, y += stride)
    for (size_t i = 0; i < columns; i += LANES) {
      const size_t n = columns - i < LANES ? columns - i : LANES;
      V v = NAME(finished)(NAME(load_first)(y + i, n) * steps[row], e, row, i, n);
      if (gelu) v = NAME(gelu_of)(v);
      NAME(store_first)(y + i, v, n);
    }
}
