#include <string.h>

#include "CKernels.h"

// Undoing PNG's filters is one long chain: every pixel waits for its left neighbour. Eight rows at once,
// each a pixel behind the one above it, are eight chains in one vector. What a row then needs from above
// is what its upper neighbour found a step ago, and what it needs from above left is what it needed from
// above a step ago.

enum { rows_at_once = 8 };

/// Two bytes of each row, the lower one first.
typedef int16_t lanes __attribute__((vector_size(4 * rows_at_once)));
typedef uint8_t bytes __attribute__((vector_size(2 * rows_at_once)));
typedef uint16_t pairs __attribute__((vector_size(2 * rows_at_once)));
typedef uint64_t words __attribute__((vector_size(2 * rows_at_once)));

typedef struct {
  size_t width, count;
  /// Filtered bytes of the first row, and the bytes from row to row.
  const uint8_t *x;
  size_t pitch;
  /// The samples above the first row, NULL above the picture; and those of the first row.
  const uint16_t *above;
  uint16_t *y;
  /// Which filter each row has: all bits of a lane, or none.
  lanes is_left, is_above, is_mean, is_paeth;
} group;

// Nothing here is called from outside, so that no calling convention depends on how wide vectors are.
#pragma clang diagnostic ignored "-Wpsabi"

static inline lanes absolute(lanes v) { return __builtin_elementwise_max(v, -v); }

static inline lanes select(lanes mask, lanes yes, lanes no) { return (mask & yes) | (~mask & no); }

/// Whichever of a (left), b (above) and c (above left) is nearest to a + b - c, in this order.
static inline lanes paeth(lanes a, lanes b, lanes c) {
  const lanes pa = absolute(b - c), pb = absolute(a - c), pc = absolute((b - c) + (a - c));
  return select(pa <= __builtin_elementwise_min(pb, pc), a, select(pb <= pc, b, c));
}

static inline bool is_pixel(const group *g, size_t k, size_t step) {
  return k < g->count && step >= k && step - k < g->width;
}

/// Row k's pixel at `step` - k. Near the ends of the rows, and where there are fewer than eight,
/// `guarded` leaves out pixels that are none.
static inline __attribute__((always_inline)) void advance(const group *g, size_t step, bool guarded,
                                                          lanes *left, lanes *above_left) {
  // Put together in registers: what is written to memory in parts cannot be read in one piece at once.
  words in = {0};
  for (size_t k = 0; k < rows_at_once; k++)
    if (!guarded || is_pixel(g, k, step)) {
      uint16_t pixel;
      memcpy(&pixel, g->x + k * g->pitch + 2 * (step - k), 2);
      in[k / 4] |= (uint64_t)pixel << k % 4 * 16;
    }
  // As the file has them, the higher byte is first.
  const pairs swapped = (pairs)in << 8 | (pairs)in >> 8;
  const lanes x = __builtin_convertvector((bytes)swapped, lanes);

  const lanes a = *left, c = *above_left;
  lanes b = __builtin_shufflevector(a, (lanes){0}, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                    10, 11, 12, 13);
  const uint64_t top = g->above && (!guarded || step < g->width) ? g->above[step] : 0;
  b |= __builtin_convertvector((bytes)(words){top}, lanes);
  const lanes prediction = (g->is_left & a) | (g->is_above & b) | (g->is_mean & ((a + b) >> 1)) |
                           (g->is_paeth & paeth(a, b, c));
  const lanes y = (x + prediction) & 0xFF;

  const words out = (words)__builtin_convertvector(y, bytes);
  lanes kept = y;
  for (size_t k = 0; k < rows_at_once; k++)
    if (!guarded || is_pixel(g, k, step))
      g->y[k * g->width + step - k] = (uint16_t)(out[k / 4] >> k % 4 * 16);
    else
      kept[2 * k] = kept[2 * k + 1] = 0;
  *left = kept;
  *above_left = b;
}

bool ck_png_unfilter16(size_t rows, size_t width, const uint8_t *filtered, uint16_t *samples) {
  group g = {.width = width, .pitch = 1 + 2 * width};
  for (size_t row = 0; row < rows; row += rows_at_once) {
    g.count = rows - row < rows_at_once ? rows - row : rows_at_once;
    g.x = filtered + row * g.pitch + 1;
    g.y = samples + row * width;
    g.above = row > 0 ? g.y - width : NULL;
    lanes filter = {0};
    for (size_t k = 0; k < g.count; k++) {
      const uint8_t type = filtered[(row + k) * g.pitch];
      if (type > 4) return false;
      filter[2 * k] = filter[2 * k + 1] = type;
    }
    g.is_left = filter == 1;
    g.is_above = filter == 2;
    g.is_mean = filter == 3;
    g.is_paeth = filter == 4;

    const size_t steps = width + rows_at_once - 1;
    const size_t first = g.count == rows_at_once && g.above ? rows_at_once - 1 : steps;
    lanes left = {0}, above_left = {0};
    size_t step = 0;
    for (; step < steps && step < first; step++) advance(&g, step, true, &left, &above_left);
    for (; step < width; step++) advance(&g, step, false, &left, &above_left);
    for (; step < steps; step++) advance(&g, step, true, &left, &above_left);
  }
  return true;
}
