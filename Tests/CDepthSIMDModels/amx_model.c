#include "amx_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ck_amx_model_start(ck_amx_model *m) {
  memset(m, 0, sizeof *m);
  memset(m->bytes, 0xA5, sizeof m->bytes);
}

void ck_amx_model_finish(const ck_amx_model *m) {
  const char *fault = m->fault;
  if (!fault && m->is_configured) fault = "tiles are in use after the call";
  if (!fault) return;
  fprintf(stderr, "AMX model: %s\n", fault);
  abort();
}

ck_amx_model *ck_amx_model_create(void) {
  ck_amx_model *m = malloc(sizeof *m);
  if (m) ck_amx_model_start(m);
  return m;
}

void ck_amx_model_free(ck_amx_model *m) { free(m); }

const char *ck_amx_model_fault(const ck_amx_model *m) { return m->fault; }

/// Whether no rule is broken. Stores `rule` if `condition` is the first to fail.
static bool holds(ck_amx_model *m, bool condition, const char *rule) {
  if (!m->fault && !condition) m->fault = rule;
  return !m->fault;
}

static bool has_shape(ck_amx_model *m, int tile) {
  return holds(m, m->is_configured, "no tiles are configured") &&
         holds(m, tile >= 0 && tile < 8, "a tile's number is not 0…7") &&
         holds(m, m->rows[tile] > 0, "a tile has no shape") &&
         holds(m, m->row_bytes[tile] % 4 == 0, "a tile's rows are not whole dwords");
}

void ck_amx_model_release(ck_amx_model *m) {
  if (m->fault) return;
  ck_amx_model_start(m);
}

void ck_amx_model_configure(ck_amx_model *m, const void *bytes) {
  uint8_t config[64];
  memcpy(config, bytes, sizeof config);
  if (config[0] == 0) {
    ck_amx_model_release(m);
    return;
  }
  if (!holds(m, config[0] == 1, "the palette is not 0 or 1")) return;
  // A nonzero first row continues an interrupted load, which no kernel does.
  if (!holds(m, config[1] == 0, "the first row is not 0")) return;
  for (int i = 2; i < 64; i++) {
    const bool is_reserved = i < 16 || (i >= 32 && i < 48) || i >= 56;
    if (!holds(m, !is_reserved || config[i] == 0, "a reserved byte is not 0")) return;
  }
  for (int tile = 0; tile < 8; tile++) {
    const int row_bytes = config[16 + 2 * tile] | config[17 + 2 * tile] << 8;
    const int rows = config[48 + tile];
    if (!holds(m, row_bytes <= 64, "a row has more than 64 bytes") ||
        !holds(m, rows <= 16, "a tile has more than 16 rows") ||
        !holds(m, (row_bytes == 0) == (rows == 0), "a tile has rows without bytes, or bytes without rows"))
      return;
  }
  memset(m->bytes, 0, sizeof m->bytes);
  m->is_configured = true;
  for (int tile = 0; tile < 8; tile++) {
    m->row_bytes[tile] = (uint16_t)(config[16 + 2 * tile] | config[17 + 2 * tile] << 8);
    m->rows[tile] = config[48 + tile];
  }
}

void ck_amx_model_zero(ck_amx_model *m, int tile) {
  if (has_shape(m, tile)) memset(m->bytes[tile], 0, sizeof m->bytes[tile]);
}

void ck_amx_model_load(ck_amx_model *m, int tile, const void *base, size_t stride) {
  if (!has_shape(m, tile)) return;
  memset(m->bytes[tile], 0, sizeof m->bytes[tile]);
  for (size_t row = 0; row < m->rows[tile]; row++)
    memcpy(m->bytes[tile][row], (const uint8_t *)base + row * stride, m->row_bytes[tile]);
}

void ck_amx_model_store(ck_amx_model *m, int tile, void *base, size_t stride) {
  if (!has_shape(m, tile)) return;
  for (size_t row = 0; row < m->rows[tile]; row++)
    memcpy((uint8_t *)base + row * stride, m->bytes[tile][row], m->row_bytes[tile]);
}

/// Whether the shapes of a product's tiles fit together.
static bool fit(ck_amx_model *m, int c, int a, int b) {
  return holds(m, c != a && c != b && a != b, "two of a product's tiles are the same") &&
         has_shape(m, c) && has_shape(m, a) && has_shape(m, b) &&
         holds(m, m->rows[c] == m->rows[a], "sums and the first factor differ in rows") &&
         holds(m, m->row_bytes[c] == m->row_bytes[b], "sums and the second factor differ in columns") &&
         holds(m, m->row_bytes[a] / 4 == m->rows[b], "the factors differ in depth");
}

/// Clears the bytes of tile `c` beyond the tile's shape.
static void clear_beyond(ck_amx_model *m, int c) {
  for (int row = 0; row < 16; row++) {
    const size_t used = row < m->rows[c] ? m->row_bytes[c] : 0;
    memset(m->bytes[c][row] + used, 0, 64 - used);
  }
}

void ck_amx_model_dot(ck_amx_model *m, int c, int a, int b) {
  if (!fit(m, c, a, b)) return;
  const int columns = m->row_bytes[c] / 4, depth = m->rows[b];
  for (int row = 0; row < m->rows[c]; row++) {
    uint32_t sums[16] = {0};
    memcpy(sums, m->bytes[c][row], (size_t)columns * 4);
    for (int k = 0; k < depth; k++)
      for (int column = 0; column < columns; column++)
        for (int i = 0; i < 4; i++)
          sums[column] += (uint32_t)((int32_t)m->bytes[a][row][4 * k + i] *
                                     (int32_t)(int8_t)m->bytes[b][k][4 * column + i]);
    memcpy(m->bytes[c][row], sums, (size_t)columns * 4);
  }
  clear_beyond(m, c);
}
