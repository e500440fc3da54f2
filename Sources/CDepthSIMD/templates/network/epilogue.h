/// y = min(max(y + bias + residual, lower_bound), upper_bound) on n lanes from column `column` of row `row`.
INLINE V NAME(finished)(V y, const ck_epilogue *e, size_t row, size_t column, size_t n) {
  if (e->bias) y += NAME(load_first)(e->bias + column, n);
  if (e->residual) y += NAME(load_first)(e->residual + row * e->residual_stride + column, n);
  if (e->lower_bound) y = NAME(max)(y, NAME(load_first)(e->lower_bound + column, n));
  if (e->upper_bound > 0) y = NAME(min)(y, NAME(splat)(e->upper_bound));
  return y;
}

static void NAME(epilogue)(size_t rows, size_t columns, float *y, size_t stride,
                           const ck_epilogue *e) {
  for (size_t row = 0; row < rows; row++, y += stride) {
    size_t c = 0;
    for (; c + LANES <= columns; c += LANES)
      NAME(store)(y + c, NAME(finished)(NAME(load)(y + c), e, row, c, LANES));
    const size_t n = columns - c;
    if (n)
      NAME(store_first)(y + c, NAME(finished)(NAME(load_first)(y + c, n), e, row, c, n), n);
  }
}
