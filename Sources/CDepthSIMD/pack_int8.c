// Packs the weights of an 8-bit convolution by vectors of 16 bytes, which every supported processor has.
#include <string.h>

#include "include/ck_int8.h"

typedef int8_t bytes __attribute__((vector_size(16)));
typedef int16_t pairs __attribute__((vector_size(16)));
typedef uint16_t unsigned_pairs __attribute__((vector_size(16)));
typedef int32_t quads __attribute__((vector_size(16)));

enum { LANES = 16, COLUMNS = 4 };

/// Loads `count` ≤ 16 bytes. Later bytes are 0, or the following bytes in memory if 16 bytes are available
/// before `end`.
static inline bytes load(const int8_t *from, size_t count, const int8_t *end) {
  bytes v = {0};
  if ((size_t)(end - from) >= LANES)
    memcpy(&v, from, LANES);
  else
    memcpy(&v, from, count);
  return v;
}

/// Transposes four vectors: vector i of the result has element i of each vector.
static inline void transpose(const quads in[4], quads out[4]) {
  const quads a = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
  const quads b = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
  const quads c = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
  const quads d = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  out[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31

/// Interleaves four channels of 16 taps as 16 quads: quad i has the four bytes of tap i.
static inline void interleave(const bytes channel[4], quads taps[4]) {
  const pairs low01 = (pairs)__builtin_shufflevector(channel[0], channel[1], LOW);
  const pairs low23 = (pairs)__builtin_shufflevector(channel[2], channel[3], LOW);
  const pairs high01 = (pairs)__builtin_shufflevector(channel[0], channel[1], HIGH);
  const pairs high23 = (pairs)__builtin_shufflevector(channel[2], channel[3], HIGH);
  taps[0] = (quads)__builtin_shufflevector(low01, low23, 0, 8, 1, 9, 2, 10, 3, 11);
  taps[1] = (quads)__builtin_shufflevector(low01, low23, 4, 12, 5, 13, 6, 14, 7, 15);
  taps[2] = (quads)__builtin_shufflevector(high01, high23, 0, 8, 1, 9, 2, 10, 3, 11);
  taps[3] = (quads)__builtin_shufflevector(high01, high23, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Packs four columns of one quad of channels for all taps.
static void pack_taps(const ck_int8_panel *p, size_t quad, size_t column) {
  const size_t per_tap = (p->channels + 3) / 4;
  const int8_t *end = p->quantized + p->columns * p->channels * p->taps;
  for (size_t tap = 0; tap < p->taps; tap += LANES) {
    const size_t count = p->taps - tap < LANES ? p->taps - tap : LANES;
    quads of[COLUMNS][4];
    for (size_t i = 0; i < COLUMNS; i++) {
      bytes channel[4] = {{0}};
      for (size_t c = 0; c < 4 && 4 * quad + c < p->channels && column + i < p->columns; c++)
        channel[c] = load(p->quantized + ((column + i) * p->channels + 4 * quad + c) * p->taps + tap, count, end);
      interleave(channel, of[i]);
    }
    for (size_t part = 0; 4 * part < count; part++) {
      quads rows[4];
      transpose((quads[4]){of[0][part], of[1][part], of[2][part], of[3][part]}, rows);
      for (size_t t = 0; t < 4 && 4 * part + t < count; t++) {
        const size_t row = (tap + 4 * part + t) * per_tap + quad;
        memcpy(p->packed + (row * p->width + column) * 4, &rows[t], sizeof rows[t]);
      }
    }
  }
}

/// Packs four columns of four quads of channels of a 1×1 kernel.
static void pack_points(const ck_int8_panel *p, size_t quad, size_t column) {
  const size_t count = p->channels - 4 * quad < LANES ? p->channels - 4 * quad : LANES;
  quads columns[COLUMNS] = {{0}}, rows[4];
  for (size_t i = 0; i < COLUMNS && column + i < p->columns; i++) {
    const int8_t *from = p->quantized + (column + i) * p->channels + 4 * quad;
    // Bytes after a shorter part belong to the next column.
    columns[i] = (quads)load(from, count, from + count);
  }
  transpose(columns, rows);
  for (size_t i = 0; 4 * i < count; i++)
    memcpy(p->packed + ((quad + i) * p->width + column) * 4, &rows[i], sizeof rows[i]);
}

static int32_t sum(const int8_t *quantized, size_t count) {
  int32_t total = 0;
  size_t i = 0;
  while (i + LANES <= count) {
    // A lane holds the sum of 256 bytes without overflow.
    const size_t stop = count - i > 128 * LANES ? i + 128 * LANES : count;
    pairs lanes = {0};
    for (; i + LANES <= stop; i += LANES) {
      pairs v;
      memcpy(&v, quantized + i, LANES);
      lanes += ((pairs)((unsigned_pairs)v << 8) >> 8) + (v >> 8);
    }
    for (size_t lane = 0; lane < LANES / 2; lane++) total += lanes[lane];
  }
  for (; i < count; i++) total += quantized[i];
  return total;
}

void ck_pack_int8(const ck_int8_panel *panel) {
  // All columns of a quad are packed before the next quad, to write whole cache lines.
  const bool is_point = panel->taps == 1;
  for (size_t quad = 0; 4 * quad < panel->channels; quad += is_point ? 4 : 1)
    for (size_t column = 0; column < panel->width; column += COLUMNS)
      (is_point ? pack_points : pack_taps)(panel, quad, column);
  const size_t count = panel->channels * panel->taps;
  for (size_t column = 0; column < panel->columns; column++)
    panel->sums[column] = sum(panel->quantized + column * count, count);
}
