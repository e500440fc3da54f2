// A direct 8-bit convolution by tiles. Four quantized values are a dword of the map, multiplied by four weights of each
// column. One product multiplies up to 16 pixels × 16 dwords, read in place with the map's pixel stride, by 16 dwords × 16
// columns of a panel. Two blocks of pixels by two panel halves form four sums, so each loaded tile is used twice.
//
// Tiles 0…3 are sums (2 · block + half), tiles 4 and 5 are pixels of the blocks, and tiles 6 and 7 are halves of the
// panel.

/// The division of pixels and runs, constant in a call: one tile configuration.
typedef struct {
  /// Pixels of a block, and blocks of a line.
  size_t rows, blocks;
  /// Dwords of a product: the largest divisor of a run up to 16, so that products read only the run.
  size_t chunk;
  /// Products per sum.
  size_t products;
} NAME(tile_plan);

/// 64 bytes of LDTILECFG.
typedef struct {
  uint8_t palette, first_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} NAME(tile_shapes);
_Static_assert(sizeof(NAME(tile_shapes)) == 64, "LDTILECFG reads 64 bytes");

INLINE NAME(tile_plan) NAME(tile_plan_of)(const ck_int8_convolution *p) {
  const size_t blocks = (p->pixels + 15) / 16;
  size_t chunk = p->quads < 16 ? p->quads : 16;
  while (p->quads % chunk) chunk--;
  return (NAME(tile_plan)){
      .rows = (p->pixels + blocks - 1) / blocks,
      .blocks = blocks,
      .chunk = chunk,
      .products = p->segments * (p->quads / chunk),
  };
}

INLINE void NAME(configure_tiles)(TILE_STATE *tiles, NAME(tile_plan) plan) {
  _Alignas(64) NAME(tile_shapes) shapes = {.palette = 1};
  for (size_t t = 0; t < 8; t++) {
    const bool is_pixels = t == 4 || t == 5;
    shapes.row_bytes[t] = (uint16_t)(is_pixels ? 4 * plan.chunk : 64);
    shapes.rows[t] = (uint8_t)(t < 6 ? plan.rows : plan.chunk);
  }
  TILE_CONFIGURE(tiles, &shapes);
}

/// Pixels of one line. The last block of a line begins earlier to be full. Pixels shared with the previous block are
/// computed twice but written once, because a result may overwrite its residual.
typedef struct {
  size_t line, pixel, first_new;
} NAME(tile_block);

INLINE NAME(tile_block) NAME(tile_block_at)(const ck_int8_convolution *p, NAME(tile_plan) plan,
                                            size_t index) {
  const size_t begin = index % plan.blocks * plan.rows, last = p->pixels - plan.rows;
  const size_t pixel = begin < last ? begin : last;
  return (NAME(tile_block)){index / plan.blocks, pixel, begin - pixel};
}

/// Computes the sums of one or two blocks and panel halves; both counts are constants after inlining. Idle sum tiles take
/// every other product, so that a product does not wait for the previous product.
INLINE void NAME(tile_sums)(const size_t blocks, const size_t halves, const ck_int8_convolution *p,
                            NAME(tile_plan) plan, TILE_STATE *tiles, const uint8_t *x0,
                            const uint8_t *x1, const int8_t *panel, NAME(next_lines) next) {
  TILE_ZERO(tiles, 0);
  TILE_ZERO(tiles, 1);
  TILE_ZERO(tiles, 2);
  TILE_ZERO(tiles, 3);
  // Local copies are needed because the compiler assumes that tile loads may change any memory.
  const size_t segments = p->segments, chunks = p->quads / plan.chunk;
  const size_t bytes = 4 * plan.chunk, stride = p->x_pixel_stride;
  const ptrdiff_t *offsets = p->offsets;
  // Lines of the next panel to prefetch per product.
  const size_t share = 64 * ((next.count + plan.products - 1) / plan.products);
  const int8_t *line = next.lines, *end = next.lines + 64 * next.count;
  bool is_odd = false;
  for (size_t s = 0; s < segments; s++) {
    const uint8_t *a0 = x0 + offsets[s], *a1 = x1 + offsets[s];
    for (size_t left = chunks; left; left--) {
      for (const int8_t *stop = line + share; line < stop && line < end; line += 64)
        __builtin_prefetch(line, 0, 2);
      if (blocks == 2 && halves == 2) {
        TILE_LOAD(tiles, 6, panel, 128);
        TILE_LOAD(tiles, 4, a0, stride);
        TILE_DOT(tiles, 0, 4, 6);
        TILE_LOAD(tiles, 5, a1, stride);
        TILE_DOT(tiles, 2, 5, 6);
        TILE_LOAD(tiles, 7, panel + 64, 128);
        TILE_DOT(tiles, 1, 4, 7);
        TILE_DOT(tiles, 3, 5, 7);
      } else if (halves == 2) {
        TILE_LOAD(tiles, 6, panel, 128);
        TILE_LOAD(tiles, 7, panel + 64, 128);
        if (is_odd) {
          TILE_LOAD(tiles, 5, a0, stride);
          TILE_DOT(tiles, 2, 5, 6);
          TILE_DOT(tiles, 3, 5, 7);
        } else {
          TILE_LOAD(tiles, 4, a0, stride);
          TILE_DOT(tiles, 0, 4, 6);
          TILE_DOT(tiles, 1, 4, 7);
        }
      } else if (blocks == 2) {
        TILE_LOAD(tiles, 4, a0, stride);
        TILE_LOAD(tiles, 5, a1, stride);
        if (is_odd) {
          TILE_LOAD(tiles, 7, panel, 128);
          TILE_DOT(tiles, 1, 4, 7);
          TILE_DOT(tiles, 3, 5, 7);
        } else {
          TILE_LOAD(tiles, 6, panel, 128);
          TILE_DOT(tiles, 0, 4, 6);
          TILE_DOT(tiles, 2, 5, 6);
        }
      } else if (is_odd) {
        TILE_LOAD(tiles, 5, a0, stride);
        TILE_LOAD(tiles, 7, panel, 128);
        TILE_DOT(tiles, 3, 5, 7);
      } else {
        TILE_LOAD(tiles, 4, a0, stride);
        TILE_LOAD(tiles, 6, panel, 128);
        TILE_DOT(tiles, 0, 4, 6);
      }
      is_odd = !is_odd;
      a0 += bytes, a1 += bytes, panel += 32 * bytes;
    }
  }
}

/// Computes one or two blocks of one panel, of which one or two halves hold columns.
INLINE void NAME(tile_blocks)(const size_t blocks, const size_t halves, const ck_int8_convolution *p,
                              const NAME(tile_plan) *planned, TILE_STATE *tiles, size_t index,
                              size_t column, const int8_t *panel, NAME(next_lines) next) {
  const NAME(tile_plan) plan = *planned;
  NAME(tile_block) block[2];
  const uint8_t *x[2];
  for (size_t b = 0; b < 2; b++) {
    block[b] = NAME(tile_block_at)(p, plan, index + (b < blocks ? b : 0));
    x[b] = p->x + block[b].line * p->x_line_stride + block[b].pixel * p->x_pixel_stride;
  }
  NAME(tile_sums)(blocks, halves, p, plan, tiles, x[0], x[1], panel, next);
  _Alignas(64) int32_t sums[4][16 * 16];
  TILE_STORE(tiles, 0, sums[0], 64);
  if (blocks * halves != 1) TILE_STORE(tiles, 1, sums[1], 64);
  if (blocks * halves != 1) TILE_STORE(tiles, 2, sums[2], 64);
  TILE_STORE(tiles, 3, sums[3], 64);
  const size_t other = (blocks == 1 ? 2 : 0) + (halves == 1 ? 1 : 0);
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = 0; i < 16 * halves && column + i < p->columns; i += LANES) {
      const size_t left = p->columns - column - i;
      const int32_t *from = sums[2 * b + i / 16] + i % 16;
      const int32_t *others = other ? from + 16 * 16 * other : NULL;
      const NAME(tile_block) at = block[b];
      if (left >= LANES)
        NAME(tile_results)(p, at.line, at.pixel, at.first_new, plan.rows, column + i, LANES, from,
                           others);
      else
        NAME(tile_results)(p, at.line, at.pixel, at.first_new, plan.rows, column + i, left, from,
                           others);
    }
}

// Separate functions leave all registers to the loop over products.
#define TILE_BLOCKS(blocks, halves)                                                               \
  static __attribute__((noinline)) void NAME(tile_blocks_##blocks##halves)(                       \
      const ck_int8_convolution *p, const NAME(tile_plan) *plan, TILE_STATE *tiles, size_t index,           \
      size_t column, const int8_t *panel, NAME(next_lines) next) {                                \
    NAME(tile_blocks)(blocks, halves, p, plan, tiles, index, column, panel, next);                \
  }
TILE_BLOCKS(1, 1)
TILE_BLOCKS(1, 2)
TILE_BLOCKS(2, 1)
TILE_BLOCKS(2, 2)
#undef TILE_BLOCKS

/// Computes all pixels of one panel. Blocks are processed in pairs, which may span two lines.
INLINE void NAME(tile_panel)(const ck_int8_convolution *p, const NAME(tile_plan) *plan,
                             TILE_STATE *tiles, size_t column, const int8_t *panel) {
  const size_t blocks = p->lines * plan->blocks, pairs = (blocks + 1) / 2;
  const size_t left = p->columns - column;
  const size_t panel_lines = 2 * p->segments * p->quads;
  const size_t next_lines = left > 32 ? panel_lines : 0;
  for (size_t pair = 0; pair < pairs; pair++) {
    // All pairs of the panel together prefetch the next panel.
    const size_t first = pair * next_lines / pairs;
    const NAME(next_lines) next = {panel + (panel_lines + first) * 64,
                                   (pair + 1) * next_lines / pairs - first};
    const bool is_pair = 2 * pair + 1 < blocks;
    (left > 16 ? is_pair ? NAME(tile_blocks_22) : NAME(tile_blocks_12)
     : is_pair ? NAME(tile_blocks_21)
               : NAME(tile_blocks_11))(p, plan, tiles, 2 * pair, column, panel, next);
  }
}

static void NAME(tile_convolution)(const ck_int8_convolution *p) {
  if (p->pixels == 0 || p->lines == 0) return;
  const NAME(tile_plan) plan = NAME(tile_plan_of)(p);
#if defined(INT8_ROWS)
  // A product takes one cycle per row at any depth. Below a quarter of the depth, vector instructions are about as fast,
  // and use the same panels.
  if (plan.chunk < 4) {
    NAME(int8_convolution)(p);
    return;
  }
#endif
  TILE_STATE tiles;
  TILE_START(&tiles);
  NAME(configure_tiles)(&tiles, plan);
  const size_t panel_bytes = p->segments * p->quads * 128;
  const int8_t *panel = p->weights;
  for (size_t column = 0; column < p->columns; column += 32, panel += panel_bytes)
    NAME(tile_panel)(p, &plan, &tiles, column, panel);
  TILE_RELEASE(&tiles);
  TILE_FINISH(&tiles);
}
