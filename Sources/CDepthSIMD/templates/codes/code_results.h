// The last step of a convolution of codes: from sums to codes or floats, whatever instructions made the sums.

/// Where one vector of a block's results goes, and what makes them of its sums: loaded once per block.
typedef struct {
  V multiplier, offset, lower_bound, upper_bound, residual_step;
  size_t lanes;
  const uint8_t *residual;
  size_t residual_stride;
  uint8_t *codes;
  float *floats;
  size_t stride;
} NAME(finish);

INLINE NAME(finish) NAME(finish_of)(const ck_code_convolution *p, size_t line, size_t pixel,
                                    size_t column, size_t n) {
  const ck_code_epilogue *e = &p->epilogue;
  const size_t place = line * p->y_line_stride + pixel * p->y_pixel_stride + column;
  const uint8_t *residual = e->residual;
  if (residual)
    residual += line * e->residual_line_stride + pixel * e->residual_pixel_stride + column;
  return (NAME(finish)){
      .multiplier = NAME(load_first)(e->multiplier + column, n),
      .offset = NAME(load_first)(e->offset + column, n),
      .lower_bound = NAME(load_first)(e->lower_bound + column, n),
      .upper_bound = NAME(splat)(e->upper_bound > 0 ? e->upper_bound : __builtin_inff()),
      .residual_step = NAME(splat)(e->residual_step),
      .lanes = n,
      .residual = residual,
      .residual_stride = e->residual_pixel_stride,
      .codes = p->writes_floats ? NULL : (uint8_t *)p->y + place,
      .floats = p->writes_floats ? (float *)p->y + place : NULL,
      .stride = p->y_pixel_stride,
  };
}

/// Writes the result of row r of the block as codes or floats.
INLINE void NAME(store_result)(NAME(finish) f, size_t r, VI sum) {
  V y = __builtin_convertvector(sum, V) * f.multiplier;
  y += f.offset;
  if (f.residual) {
    VB codes = {0};
    const uint8_t *from = f.residual + r * f.residual_stride;
    if (f.lanes == LANES) memcpy(&codes, from, LANES); else memcpy(&codes, from, f.lanes);
    y += __builtin_convertvector(codes, V) * f.residual_step;
  }
  y = NAME(smaller)(NAME(larger)(y, f.lower_bound), f.upper_bound);
  if (f.codes) {
    const VB codes = NAME(codes)(y);
    uint8_t *to = f.codes + r * f.stride;
    if (f.lanes == LANES) memcpy(to, &codes, LANES); else memcpy(to, &codes, f.lanes);
  } else {
    NAME(store_first)(f.floats + r * f.stride, y, f.lanes);
  }
}

/// The same for tokens.
typedef struct {
  V multiplier, offset;
  size_t lanes;
  const float *steps, *added;
  size_t added_stride;
  float *y;
  size_t stride;
} NAME(token_finish);

INLINE NAME(token_finish) NAME(token_finish_of)(const ck_code_convolution *p, size_t pixel,
                                                size_t column, size_t n) {
  const ck_token_epilogue *t = &p->tokens;
  return (NAME(token_finish)){
      .multiplier = NAME(load_first)(p->epilogue.multiplier + column, n),
      .offset = t->steps ? NAME(load_first)(p->epilogue.offset + column, n) : (V){0},
      .lanes = n,
      .steps = t->steps ? t->steps + pixel : NULL,
      .added = t->added ? t->added + pixel * t->added_stride + column : NULL,
      .added_stride = t->added_stride,
      .y = (float *)p->y + pixel * p->y_pixel_stride + column,
      .stride = p->y_pixel_stride,
  };
}

/// Writes the result of row r of the block of tokens.
INLINE void NAME(store_token)(NAME(token_finish) f, size_t r, VI sum) {
  V y = __builtin_convertvector(sum, V) * f.multiplier;
  if (f.steps) y = y * f.steps[r] + f.offset;
  if (f.added) y += NAME(load_first)(f.added + r * f.added_stride, f.lanes);
  NAME(store_first)(f.y + r * f.stride, y, f.lanes);
}

/// What is known to write whole vectors.
INLINE NAME(token_finish) NAME(whole)(NAME(token_finish) f) {
  f.lanes = LANES;
  return f;
}

/// Fetches what will be added to a block of tokens, which often comes from the third-level cache.
INLINE void NAME(fetch_added)(const ck_code_convolution *p, size_t rows, size_t pixel, size_t column) {
  const float *added = p->tokens.added;
  if (!added) return;
  added += pixel * p->tokens.added_stride + column;
#pragma clang loop unroll(disable)
  for (size_t r = 0; r < rows; r++, added += p->tokens.added_stride)
    __builtin_prefetch(added, 0, 3), __builtin_prefetch(added + LANES, 0, 3);
}

/// Cache lines of the next panel to prefetch during a block of the panel before it.
typedef struct {
  const int8_t *lines;
  size_t count;
} NAME(next_lines);

/// Writes the results of pixels first ..< rows of a tile for the n ≤ LANES columns from `column`: `sums` are its first row's,
/// `others` are those of the tile that got every other product, or NULL.
INLINE void NAME(tile_results)(const ck_code_convolution *p, size_t line, size_t pixel, size_t first,
                               size_t rows, size_t column, const size_t n, const int32_t *sums,
                               const int32_t *others) {
  VI initial = {0};
  memcpy(&initial, p->initial + column, n * sizeof(int32_t));
  const NAME(finish) f = NAME(finish_of)(p, line, pixel, column, n);
  const NAME(token_finish) token = NAME(token_finish_of)(p, pixel, column, n);
  for (size_t r = first; r < rows; r++) {
    VI sum, other = {0};
    memcpy(&sum, sums + 16 * r, sizeof sum);
    if (others) memcpy(&other, others + 16 * r, sizeof other);
    sum += other + initial;
    if (p->tokens.applies) NAME(store_token)(token, r, sum); else NAME(store_result)(f, r, sum);
  }
}
