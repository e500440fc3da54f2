// Input transforms for tiles of TILE × TILE outputs: V = Bᵀ · d · B, LANES channels at a time. The
// tile begins one row and one column before its first output.

#define EXTENT (TILE + 2)
#define TILED(name) CONCATENATE(name, TILE)

/// Loads the inputs of the tile at (top, left), with zeros or the nearest pixel outside the map.
INLINE void NAME(TILED(load_tile))(const ck_tiles *t, const float *x, ptrdiff_t top,
                                   ptrdiff_t left, size_t n, V d[EXTENT][EXTENT]) {
  const ptrdiff_t height = (ptrdiff_t)t->height, width = (ptrdiff_t)t->width;
  const ptrdiff_t pixel = (ptrdiff_t)t->pixel_stride;
  const float *corner = x + (top * width + left) * pixel;
  if (top >= 0 && left >= 0 && top + EXTENT <= height && left + EXTENT <= width) {
#pragma clang loop unroll(full)
    for (ptrdiff_t i = 0; i < EXTENT; i++)
#pragma clang loop unroll(full)
      for (ptrdiff_t j = 0; j < EXTENT; j++)
        d[i][j] = NAME(load_first)(corner + (i * width + j) * pixel, n);
  } else {
    for (ptrdiff_t i = 0; i < EXTENT; i++)
      for (ptrdiff_t j = 0; j < EXTENT; j++) {
        const ptrdiff_t row = top + i < 0 ? 0 : top + i < height ? top + i : height - 1;
        const ptrdiff_t column = left + j < 0 ? 0 : left + j < width ? left + j : width - 1;
        const bool inside = row == top + i && column == left + j;
        d[i][j] = inside || t->repeats_border
                      ? NAME(load_first)(x + (row * width + column) * pixel, n)
                      : (V){0};
      }
  }
}

INLINE void NAME(TILED(winograd_tile))(const ck_tiles *t, const float *x, ptrdiff_t top,
                                       ptrdiff_t left, size_t n, float *v) {
  V d[EXTENT][EXTENT], half[EXTENT][EXTENT], o[EXTENT];
  NAME(TILED(load_tile))(t, x, top, left, n, d);
#pragma clang loop unroll(full)
  for (size_t j = 0; j < EXTENT; j++) NAME(TILED(input_3))(&d[0][j], EXTENT, &half[0][j], EXTENT);
#pragma clang loop unroll(full)
  for (size_t i = 0; i < EXTENT; i++) {
    NAME(TILED(input_3))(half[i], 1, o, 1);
#pragma clang loop unroll(full)
    for (size_t j = 0; j < EXTENT; j++)
      NAME(store_first)(v + (i * EXTENT + j) * t->position_stride, o[j], n);
  }
}

/// Positions per axis: TILE + 2 of the three-tap transform, then TILE + 1 of the two-tap transform.
#define POSITIONS (2 * TILE + 3)

INLINE void NAME(TILED(up_convolution_tile))(const ck_tiles *t, const float *x, ptrdiff_t top,
                                      ptrdiff_t left, size_t n, float *v) {
  V d[EXTENT][EXTENT], half[POSITIONS][EXTENT], o[POSITIONS];
  const size_t two = t->two_tap_offset;
  NAME(TILED(load_tile))(t, x, top, left, n, d);
#pragma clang loop unroll(full)
  for (size_t j = 0; j < EXTENT; j++) {
    NAME(TILED(input_3))(&d[0][j], EXTENT, &half[0][j], EXTENT);
    NAME(TILED(input_2))(&d[two][j], EXTENT, &half[EXTENT][j], EXTENT);
  }
  for (size_t i = 0; i < POSITIONS; i++) {
    NAME(TILED(input_3))(half[i], 1, o, 1);
    NAME(TILED(input_2))(half[i] + two, 1, o + EXTENT, 1);
#pragma clang loop unroll(full)
    for (size_t j = 0; j < POSITIONS; j++)
      NAME(store_first)(v + (i * POSITIONS + j) * t->position_stride, o[j], n);
  }
}

#define TRANSFORM_TILES(name, transform)                                                       \
  static void NAME(name)(const ck_tiles *t, size_t first, size_t last, const float *x,         \
                         float *v) {                                                           \
    for (size_t tile = first; tile < last; tile++) {                                           \
      const size_t row = tile / t->tile_columns, image = row / t->tile_rows;                   \
      const ptrdiff_t top = (ptrdiff_t)(row % t->tile_rows * TILE) - 1;                        \
      const ptrdiff_t left = (ptrdiff_t)(tile % t->tile_columns * TILE) - 1;                   \
      const float *map = x + image * t->height * t->width * t->pixel_stride;                   \
      float *out = v + (tile - first) * t->tile_stride;                                        \
      size_t c = 0;                                                                            \
      for (; c + LANES <= t->channels; c += LANES)                                             \
        NAME(transform)(t, map + c, top, left, LANES, out + c);                                \
      if (c < t->channels) NAME(transform)(t, map + c, top, left, t->channels - c, out + c);   \
    }                                                                                          \
  }

TRANSFORM_TILES(TILED(winograd_input), TILED(winograd_tile))
TRANSFORM_TILES(TILED(up_convolution_input), TILED(up_convolution_tile))
#undef TRANSFORM_TILES
