// Output transforms for tiles of TILE × TILE outputs: Y = Aᵀ · P · A, then the epilogue.

/// Computes Aᵀ · P · A of the positions from p, with products for `rows` × `columns` taps.
#define OUTPUT_TILE(name, along_rows, along_columns, extent_rows, extent_columns, positions)    \
  INLINE void NAME(name)(const float *p, size_t position_stride, size_t n,                      \
                         V y[TILE][TILE]) {                                                     \
    V half[TILE][EXTENT];                                                                       \
    _Pragma("clang loop unroll(full)") for (size_t k = 0; k < extent_columns; k++) {            \
      V column[EXTENT];                                                                         \
      _Pragma("clang loop unroll(full)") for (size_t j = 0; j < extent_rows; j++)               \
        column[j] = NAME(load_first)(p + (j * positions + k) * position_stride, n);             \
      NAME(along_rows)(column, 1, &half[0][k], EXTENT);                                         \
    }                                                                                           \
    _Pragma("clang loop unroll(full)") for (size_t i = 0; i < TILE; i++)                        \
      NAME(along_columns)(half[i], 1, y[i], 1);                                                 \
  }

OUTPUT_TILE(TILED(output_33), TILED(output_3), TILED(output_3), EXTENT, EXTENT, EXTENT)
OUTPUT_TILE(TILED(output_A), TILED(output_3), TILED(output_3), EXTENT, EXTENT, POSITIONS)
OUTPUT_TILE(TILED(output_B), TILED(output_2), TILED(output_3), (TILE + 1), EXTENT, POSITIONS)
OUTPUT_TILE(TILED(output_C), TILED(output_3), TILED(output_2), EXTENT, (TILE + 1), POSITIONS)
OUTPUT_TILE(TILED(output_D), TILED(output_2), TILED(output_2), (TILE + 1), (TILE + 1), POSITIONS)
#undef OUTPUT_TILE

/// A tile's position in the map, cropped at the right and bottom edges.
typedef struct {
  size_t image, top, left, rows, columns;
} NAME(TILED(place));

INLINE NAME(TILED(place)) NAME(TILED(place_of))(const ck_tiles *t, size_t tile) {
  const size_t row = tile / t->tile_columns;
  const size_t top = row % t->tile_rows * TILE, left = tile % t->tile_columns * TILE;
  return (NAME(TILED(place))){
      .image = row / t->tile_rows,
      .top = top,
      .left = left,
      .rows = t->height - top < TILE ? t->height - top : TILE,
      .columns = t->width - left < TILE ? t->width - left : TILE,
  };
}

static void NAME(TILED(winograd_output))(const ck_tiles *t, size_t first, size_t last,
                                         const float *products, float *y, const ck_epilogue *e) {
  for (size_t tile = first; tile < last; tile++) {
    const NAME(TILED(place)) at = NAME(TILED(place_of))(t, tile);
    const float *p = products + (tile - first) * t->tile_stride;
    const size_t pixel = (at.image * t->height + at.top) * t->width + at.left;
    for (size_t c = 0; c < t->channels; c += LANES) {
      const size_t n = t->channels - c < LANES ? t->channels - c : LANES;
      V out[TILE][TILE];
      if (n == LANES)
        NAME(TILED(output_33))(p + c, t->position_stride, LANES, out);
      else
        NAME(TILED(output_33))(p + c, t->position_stride, n, out);
      for (size_t i = 0; i < at.rows; i++)
        for (size_t j = 0; j < at.columns; j++) {
          const size_t q = pixel + i * t->width + j;
          NAME(store_first)(y + q * t->pixel_stride + c, NAME(finished)(out[i][j], e, q, c, n), n);
        }
    }
  }
}

/// Writes one parity of the interleaved map.
INLINE void NAME(TILED(store_parity))(const ck_tiles *t, NAME(TILED(place)) at, size_t row_parity,
                                      size_t column_parity, size_t phase, size_t c, size_t n,
                                      const V out[TILE][TILE], float *y, const ck_epilogue *e) {
  ck_epilogue phase_epilogue = *e;
  if (e->bias) phase_epilogue.bias = e->bias + phase * t->phase_stride;
  for (size_t i = 0; i < at.rows; i++)
    for (size_t j = 0; j < at.columns; j++) {
      const size_t row = at.image * 2 * t->height + 2 * (at.top + i) + row_parity;
      const size_t q = row * 2 * t->width + 2 * (at.left + j) + column_parity;
      NAME(store_first)(y + q * t->pixel_stride + c,
                        NAME(finished)(out[i][j], &phase_epilogue, q, c, n), n);
    }
}

INLINE void NAME(TILED(up_convolution_channels))(const ck_tiles *t, NAME(TILED(place)) at, const float *p,
                                          size_t c, size_t n, float *y, const ck_epilogue *e) {
  const size_t s = t->position_stride;
  V out[TILE][TILE];
  NAME(TILED(output_A))(p, s, n, out);
  NAME(TILED(store_parity))(t, at, 0, 0, 0, c, n, out, y, e);
  NAME(TILED(output_B))(p + EXTENT * POSITIONS * s, s, n, out);
  NAME(TILED(store_parity))(t, at, 1, 0, 1, c, n, out, y, e);
  NAME(TILED(output_C))(p + EXTENT * s, s, n, out);
  NAME(TILED(store_parity))(t, at, 0, 1, 2, c, n, out, y, e);
  NAME(TILED(output_D))(p + (EXTENT * POSITIONS + EXTENT) * s, s, n, out);
  NAME(TILED(store_parity))(t, at, 1, 1, 3, c, n, out, y, e);
}

static void NAME(TILED(up_convolution_output))(const ck_tiles *t, size_t first, size_t last,
                                        const float *products, float *y, const ck_epilogue *e) {
  for (size_t tile = first; tile < last; tile++) {
    const NAME(TILED(place)) at = NAME(TILED(place_of))(t, tile);
    const float *p = products + (tile - first) * t->tile_stride;
    size_t c = 0;
    for (; c + LANES <= t->channels; c += LANES)
      NAME(TILED(up_convolution_channels))(t, at, p + c, c, LANES, y, e);
    if (c < t->channels) NAME(TILED(up_convolution_channels))(t, at, p + c, c, t->channels - c, y, e);
  }
}

#undef EXTENT
#undef POSITIONS
#undef TILED
