// The epilogue of an 8-bit convolution: from sums to quantized values or floats, for all kinds of products.

/// Destination and requantization of one vector of a block's results, loaded once per block.
typedef struct {
  V multiplier, offset, lower_bound, upper_bound, residual_scale;
  size_t lanes;
  const uint8_t *residual;
  size_t residual_stride;
  const float *added;
  size_t added_stride;
  uint8_t *quantized;
  float *floats;
  size_t stride;
  /// Scale and offset for quantizing floats; the factor is 0 if results are requantized directly.
  float quantization_factor, quantization_offset;
} NAME(finish);

INLINE NAME(finish) NAME(finish_of)(const ck_int8_convolution *p, size_t line, size_t pixel,
                                    size_t column, size_t n) {
  const ck_int8_epilogue *e = &p->epilogue;
  const size_t place = line * p->y_line_stride + pixel * p->y_pixel_stride + column;
  const uint8_t *residual = e->residual;
  if (residual)
    residual += line * e->residual_line_stride + pixel * e->residual_pixel_stride + column;
  const float *added = e->added;
  if (added) added += line * e->added_line_stride + pixel * e->added_pixel_stride + column;
  return (NAME(finish)){
      .multiplier = NAME(load_first)(e->multiplier + column, n),
      .offset = NAME(load_first)(e->offset + column, n),
      .lower_bound = NAME(load_first)(e->lower_bound + column, n),
      .upper_bound = NAME(splat)(e->upper_bound > 0 ? e->upper_bound : __builtin_inff()),
      .residual_scale = NAME(splat)(e->residual_scale),
      .lanes = n,
      .residual = residual,
      .residual_stride = e->residual_pixel_stride,
      .added = added,
      .added_stride = e->added_pixel_stride,
      .quantized = p->writes_floats ? NULL : (uint8_t *)p->y + place,
      .floats = p->writes_floats ? (float *)p->y + place : NULL,
      .stride = p->y_pixel_stride,
      .quantization_factor = e->quantization_factor,
      .quantization_offset = e->quantization_offset,
  };
}

/// Writes the result of row r of the block as floats or as quantized values. With `of_floats`, quantized values are computed
/// from floats.
INLINE void NAME(store_result)(const bool of_floats, NAME(finish) f, size_t r, VI sum) {
  V y = __builtin_convertvector(sum, V) * f.multiplier;
  y += f.offset;
  if (f.residual) {
    VB quantized = {0};
    const uint8_t *from = f.residual + r * f.residual_stride;
    if (f.lanes == LANES) memcpy(&quantized, from, LANES); else memcpy(&quantized, from, f.lanes);
    y += __builtin_convertvector(quantized, V) * f.residual_scale;
  }
  if (f.added) y += NAME(load_first)(f.added + r * f.added_stride, f.lanes);
  y = NAME(smaller)(NAME(larger)(y, f.lower_bound), f.upper_bound);
  if (f.quantized) {
    if (of_floats) {
      y *= NAME(splat)(f.quantization_factor);
      y = NAME(larger)(y + NAME(splat)(f.quantization_offset), (V){0});
    }
    const VB quantized = NAME(quantized)(y);
    uint8_t *to = f.quantized + r * f.stride;
    if (f.lanes == LANES) memcpy(to, &quantized, LANES); else memcpy(to, &quantized, f.lanes);
  } else {
    NAME(store_first)(f.floats + r * f.stride, y, f.lanes);
  }
}

/// Writes `rows` rows of `vectors` vectors. The last vector has `last` columns, a constant for a whole vector.
INLINE void NAME(store_rows)(const size_t rows, const size_t vectors, const bool of_floats,
                             const size_t last, const ck_int8_convolution *p, size_t line,
                             size_t pixel, size_t column, VI sum[][2]) {
#pragma clang loop unroll(full)
  for (size_t v = 0; v < vectors; v++) {
    const NAME(finish) f =
        NAME(finish_of)(p, line, pixel, column + v * LANES, v + 1 < vectors ? LANES : last);
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) NAME(store_result)(of_floats, f, r, sum[r][v]);
  }
}

#if LANES == 16 || defined(INT8_AVX2)
#if LANES == 16
typedef __m512i NAME(integers);
INLINE NAME(integers) NAME(rounded)(V y) { return _mm512_cvtps_epi32((__m512)y); }
INLINE NAME(integers) NAME(to_words)(NAME(integers) a, NAME(integers) b) { return _mm512_packs_epi32(a, b); }
INLINE NAME(integers) NAME(to_bytes)(NAME(integers) a, NAME(integers) b) {
  // Each 128 bits hold four quantized values of each vector and row.
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, _mm512_packus_epi16(a, b));
}
#else
typedef __m256i NAME(integers);
INLINE NAME(integers) NAME(rounded)(V y) { return _mm256_cvtps_epi32((__m256)y); }
INLINE NAME(integers) NAME(to_words)(NAME(integers) a, NAME(integers) b) { return _mm256_packs_epi32(a, b); }
INLINE NAME(integers) NAME(to_bytes)(NAME(integers) a, NAME(integers) b) {
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b), order);
}
#endif

/// Writes `rows` rows of quantized values in two whole vectors each, from floats if `of_floats`, with a residual if `adds`.
/// `of_floats`, `adds` and `rows` are constants after inlining. Signed integers are narrowed to bytes, four vectors at a time,
/// which bounds them to 0 … 255.
INLINE void NAME(store_int8_rows)(const size_t rows, const bool of_floats, const bool adds,
                                  const ck_int8_convolution *p, size_t line, size_t pixel,
                                  size_t column, VI sum[][2]) {
  const NAME(finish) f[2] = {NAME(finish_of)(p, line, pixel, column, LANES),
                             NAME(finish_of)(p, line, pixel, column + LANES, LANES)};
  // Values beyond 32 bits would become negative.
  const V largest = NAME(splat)(255.0f), top = of_floats ? largest : NAME(smaller)(f[0].upper_bound, largest);
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r += 2) {
    NAME(integers) words[2];
#pragma clang loop unroll(full)
    for (size_t i = 0; i < 2 && r + i < rows; i++) {
      NAME(integers) quantized[2];
#pragma clang loop unroll(full)
      for (size_t v = 0; v < 2; v++) {
        V y = __builtin_convertvector(sum[r + i][v], V) * f[v].multiplier;
        y += f[v].offset;
        if (adds) {
          VB added;
          memcpy(&added, f[v].residual + (r + i) * f[v].residual_stride, sizeof added);
          y += __builtin_convertvector(added, V) * f[v].residual_scale;
        }
        if (of_floats) {
          y = NAME(smaller)(NAME(larger)(y, f[v].lower_bound), f[v].upper_bound);
          y *= NAME(splat)(f[v].quantization_factor);
          y += NAME(splat)(f[v].quantization_offset);
        }
        quantized[v] = NAME(rounded)(NAME(smaller)(y, top));
      }
      words[i] = NAME(to_words)(quantized[0], quantized[1]);
    }
    const NAME(integers) bytes = NAME(to_bytes)(words[0], words[r + 1 < rows ? 1 : 0]);
    memcpy(f[0].quantized + r * f[0].stride, &bytes, 2 * LANES);
    if (r + 1 < rows)
      memcpy(f[0].quantized + (r + 1) * f[0].stride, (const uint8_t *)&bytes + 2 * LANES, 2 * LANES);
  }
}

/// Writes `rows` rows of floats in `vectors` whole vectors each, with a residual if `adds`.
INLINE void NAME(store_float_rows)(const size_t rows, const size_t vectors, const bool adds,
                                   const ck_int8_convolution *p, size_t line, size_t pixel,
                                   size_t column, VI sum[][2]) {
#pragma clang loop unroll(full)
  for (size_t v = 0; v < vectors; v++) {
    NAME(finish) f = NAME(finish_of)(p, line, pixel, column + v * LANES, LANES);
    // Constant fields save tests in each row.
    f.quantized = NULL, f.added = NULL;
    if (!adds) f.residual = NULL; else if (!f.residual) __builtin_unreachable();
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) NAME(store_result)(false, f, r, sum[r][v]);
  }
}
#endif

/// Writes `rows` rows of `vectors` vectors by the fastest applicable function. The last vector has n columns.
INLINE void NAME(store_block)(const size_t rows, const size_t vectors, const size_t n,
                              const ck_int8_convolution *p, size_t line, size_t pixel,
                              size_t column, VI sum[][2]) {
#if LANES == 16 || defined(INT8_AVX2)
  if (vectors == 2 && n == LANES && !p->writes_floats && p->epilogue.lower_is_zero) {
    const bool adds = p->epilogue.residual != NULL;
    if (p->epilogue.quantization_factor > 0) {
      if (adds)
        NAME(store_int8_rows)(rows, true, true, p, line, pixel, column, sum);
      else
        NAME(store_int8_rows)(rows, true, false, p, line, pixel, column, sum);
    } else if (adds) {
      NAME(store_int8_rows)(rows, false, true, p, line, pixel, column, sum);
    } else {
      NAME(store_int8_rows)(rows, false, false, p, line, pixel, column, sum);
    }
    return;
  }
  if (n == LANES && p->writes_floats && !p->epilogue.added) {
    if (p->epilogue.residual)
      NAME(store_float_rows)(rows, vectors, true, p, line, pixel, column, sum);
    else
      NAME(store_float_rows)(rows, vectors, false, p, line, pixel, column, sum);
    return;
  }
#endif
  if (p->epilogue.quantization_factor > 0) {
    NAME(store_rows)(rows, vectors, true, n, p, line, pixel, column, sum);
  } else if (n == LANES) {
    NAME(store_rows)(rows, vectors, false, LANES, p, line, pixel, column, sum);
  } else {
    NAME(store_rows)(rows, vectors, false, n, p, line, pixel, column, sum);
  }
}

/// Destination and scales of one vector of a block of tokens.
typedef struct {
  V multiplier, offset;
  size_t lanes;
  const float *scales, *added;
  size_t added_stride;
  float *y;
  size_t stride;
} NAME(token_finish);

INLINE NAME(token_finish) NAME(token_finish_of)(const ck_int8_convolution *p, size_t pixel,
                                                size_t column, size_t n) {
  const ck_token_epilogue *t = &p->tokens;
  return (NAME(token_finish)){
      .multiplier = NAME(load_first)(p->epilogue.multiplier + column, n),
      .offset = t->scales ? NAME(load_first)(p->epilogue.offset + column, n) : (V){0},
      .lanes = n,
      .scales = t->scales ? t->scales + pixel : NULL,
      .added = t->added ? t->added + pixel * t->added_stride + column : NULL,
      .added_stride = t->added_stride,
      .y = (float *)p->y + pixel * p->y_pixel_stride + column,
      .stride = p->y_pixel_stride,
  };
}

/// Writes the result of row r of the block of tokens.
INLINE void NAME(store_token)(NAME(token_finish) f, size_t r, VI sum) {
  V y = __builtin_convertvector(sum, V) * f.multiplier;
  if (f.scales) y = y * f.scales[r] + f.offset;
  if (f.added) y += NAME(load_first)(f.added + r * f.added_stride, f.lanes);
  NAME(store_first)(f.y + r * f.stride, y, f.lanes);
}

/// A copy for whole vectors.
INLINE NAME(token_finish) NAME(whole)(NAME(token_finish) f) {
  f.lanes = LANES;
  return f;
}

/// Prefetches a token block's residual, which is often in the third-level cache.
INLINE void NAME(fetch_added)(const ck_int8_convolution *p, size_t rows, size_t pixel, size_t column) {
  const float *added = p->tokens.added;
  if (!added) return;
  added += pixel * p->tokens.added_stride + column;
#pragma clang loop unroll(disable)
  for (size_t r = 0; r < rows; r++, added += p->tokens.added_stride)
    __builtin_prefetch(added, 0, 3), __builtin_prefetch(added + LANES, 0, 3);
}

/// Cache lines of the next panel to prefetch during a block of the current panel.
typedef struct {
  const int8_t *lines;
  size_t count;
} NAME(next_lines);
