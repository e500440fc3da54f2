// Undoing PNG's filters is one long chain: every pixel waits for its left neighbour. Eight rows at once,
// each a pixel behind the one above it, are eight chains in one vector. What a row then needs from above
// is what its upper neighbour found a step ago, and what it needs from above left is what it needed from
// above a step ago. Two such groups, one below the other, keep the processor busy while a chain waits.

enum { UNFILTER_ROWS = 8, UNFILTER_LAG = 2 * UNFILTER_ROWS };

/// Two bytes of each row, the lower one first.
typedef int16_t unfilter_lanes __attribute__((vector_size(4 * UNFILTER_ROWS)));
typedef uint8_t unfilter_bytes __attribute__((vector_size(2 * UNFILTER_ROWS)));
typedef uint16_t unfilter_pairs __attribute__((vector_size(2 * UNFILTER_ROWS)));
typedef uint64_t unfilter_words __attribute__((vector_size(2 * UNFILTER_ROWS)));

typedef struct {
  size_t width, count;
  /// Filtered bytes of the first row, and the bytes from row to row.
  const uint8_t *x;
  size_t pitch;
  /// The samples above the first row, NULL above the picture; and those of the first row.
  const uint16_t *above;
  uint16_t *y;
  /// Which filter each row has: all bits of a lane, or none.
  unfilter_lanes is_left, is_above, is_mean, is_paeth;
  /// What the last step found, and what it needed from above.
  unfilter_lanes left, above_left;
} unfilter_group;

// Nothing here is called from outside, so that no calling convention depends on how wide vectors are.
#pragma clang diagnostic ignored "-Wpsabi"

INLINE unfilter_lanes unfilter_absolute(unfilter_lanes v) {
  return __builtin_elementwise_max(v, -v);
}

INLINE unfilter_lanes unfilter_select(unfilter_lanes mask, unfilter_lanes yes, unfilter_lanes no) {
  return (mask & yes) | (~mask & no);
}

/// The next pixel of every row: `in` as the file has them, `top` the sample above row 0.
INLINE unfilter_pairs unfilter_next(unfilter_group *g, unfilter_pairs in, uint16_t top) {
  // In the file the higher byte is first.
  typedef unfilter_lanes L;
  const L x = __builtin_convertvector((unfilter_bytes)(in << 8 | in >> 8), L);
  const L a = g->left, c = g->above_left;
  L b = __builtin_shufflevector(a, (L){0}, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  b |= __builtin_convertvector((unfilter_bytes)(unfilter_words){top}, L);
  // Paeth: whichever of a (left), b (above) and c (above left) is nearest to a + b - c, in this order.
  // Distances that are 0 or beyond all others make rows with another filter take a or b.
  const L pa = (unfilter_absolute(b - c) & g->is_paeth) | (g->is_above & 0x7FFF);
  const L pb = unfilter_absolute(a - c) & ~g->is_above;
  const L pc = unfilter_absolute((b - c) + (a - c));
  const L instead_of_a = (a & (g->is_left | g->is_paeth)) | (((a + b) >> 1) & g->is_mean);
  // Each candidate is added to the pixel before one is chosen: the next step waits for the choice.
  const L b_or_c = unfilter_select(pb > pc, x + c, x + b);
  const L y =
      unfilter_select(pa > __builtin_elementwise_min(pb, pc), b_or_c, x + instead_of_a) & 0xFF;
  g->left = y;
  g->above_left = b;
  return (unfilter_pairs)__builtin_convertvector(y, unfilter_bytes);
}

INLINE bool unfilter_is_pixel(const unfilter_group *g, size_t k, size_t step) {
  return k < g->count && step >= k && step - k < g->width;
}

/// Near the ends of the rows, and where there are fewer than eight, not every row has a pixel.
static void unfilter_guarded(unfilter_group *g, size_t step) {
  unfilter_pairs in = {0};
  for (size_t k = 0; k < UNFILTER_ROWS; k++)
    if (unfilter_is_pixel(g, k, step))
      memcpy((char *)&in + 2 * k, g->x + k * g->pitch + 2 * (step - k), 2);
  const uint16_t top = g->above && step < g->width ? g->above[step] : 0;
  const unfilter_pairs out = unfilter_next(g, in, top);
  for (size_t k = 0; k < UNFILTER_ROWS; k++)
    if (unfilter_is_pixel(g, k, step))
      g->y[k * g->width + step - k] = out[k];
    else
      g->left[2 * k] = g->left[2 * k + 1] = 0;
}

/// 8 × 8 samples, rows for columns.
INLINE void unfilter_transpose(unfilter_pairs v[UNFILTER_ROWS]) {
  for (int round = 0; round < 3; round++) {
    unfilter_pairs u[UNFILTER_ROWS];
    for (int i = 0; i < 4; i++) {
      u[2 * i] = __builtin_shufflevector(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      u[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    memcpy(v, u, sizeof u);
  }
}

INLINE void unfilter_load(const unfilter_group *g, size_t step, unfilter_pairs v[UNFILTER_ROWS]) {
  for (size_t k = 0; k < UNFILTER_ROWS; k++)
    memcpy(&v[k], g->x + k * g->pitch + 2 * (step - k), sizeof v[k]);
  unfilter_transpose(v);
}

INLINE void unfilter_store(const unfilter_group *g, size_t step, unfilter_pairs v[UNFILTER_ROWS]) {
  unfilter_transpose(v);
  for (size_t k = 0; k < UNFILTER_ROWS; k++)
    memcpy(g->y + k * g->width + step - k, &v[k], sizeof v[k]);
}

/// Eight steps at which every row of `g` has a pixel, and of `h`, `UNFILTER_LAG` steps behind.
INLINE void unfilter_eight(unfilter_group *g, unfilter_group *h, size_t step) {
  unfilter_pairs v[UNFILTER_ROWS], w[UNFILTER_ROWS];
  unfilter_load(g, step, v);
  unfilter_load(h, step - UNFILTER_LAG, w);
  for (size_t i = 0; i < UNFILTER_ROWS; i++) {
    v[i] = unfilter_next(g, v[i], g->above ? g->above[step + i] : 0);
    w[i] = unfilter_next(h, w[i], h->above[step - UNFILTER_LAG + i]);
  }
  unfilter_store(g, step, v);
  unfilter_store(h, step - UNFILTER_LAG, w);
}

/// False when a row names no filter.
static bool unfilter_start(unfilter_group *g, size_t row, size_t rows, size_t width,
                           const uint8_t *filtered, uint16_t *samples) {
  *g = (unfilter_group){.width = width, .pitch = 1 + 2 * width};
  g->count = rows - row < UNFILTER_ROWS ? rows - row : UNFILTER_ROWS;
  g->x = filtered + row * g->pitch + 1;
  g->y = samples + row * width;
  g->above = row > 0 ? g->y - width : NULL;
  unfilter_lanes filter = {0};
  for (size_t k = 0; k < g->count; k++) {
    const uint8_t type = filtered[(row + k) * g->pitch];
    if (type > 4) return false;
    filter[2 * k] = filter[2 * k + 1] = type;
  }
  g->is_left = filter == 1;
  g->is_above = filter == 2;
  g->is_mean = filter == 3;
  g->is_paeth = filter == 4;
  return true;
}

static bool NAME(png_unfilter16)(size_t rows, size_t width, const uint8_t *filtered,
                                 uint16_t *samples) {
  const size_t steps = width + UNFILTER_ROWS - 1;
  for (size_t row = 0; row < rows; row += UNFILTER_ROWS) {
    unfilter_group g;
    if (!unfilter_start(&g, row, rows, width, filtered, samples)) return false;
    size_t step = 0;
    if (row + 2 * UNFILTER_ROWS <= rows && width >= 2 * UNFILTER_LAG) {
      row += UNFILTER_ROWS;
      unfilter_group h;
      if (!unfilter_start(&h, row, rows, width, filtered, samples)) return false;
      for (; step < UNFILTER_LAG + UNFILTER_ROWS - 1; step++) unfilter_guarded(&g, step);
      for (size_t behind = 0; behind < UNFILTER_ROWS - 1; behind++) unfilter_guarded(&h, behind);
      // Copies whose addresses nobody has taken stay in registers.
      unfilter_group upper = g, lower = h;
      for (; step + UNFILTER_ROWS <= width; step += UNFILTER_ROWS)
        unfilter_eight(&upper, &lower, step);
      g = upper, h = lower;
      size_t behind = step - UNFILTER_LAG;
      for (; step < steps; step++) unfilter_guarded(&g, step);
      for (; behind < steps; behind++) unfilter_guarded(&h, behind);
    }
    for (; step < steps; step++) unfilter_guarded(&g, step);
  }
  return true;
}
