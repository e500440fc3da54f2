// Fills holes of a view from earlier frames.

/// level[i] = 128 + (p + step/2) / step, clamped to a byte, with the parallax p at source[i]; p = 0 for a hole.
static void NAME(level_line)(size_t n, int32_t step, const int32_t *restrict parallax,
                             const int32_t *restrict source, uint8_t *restrict level) {
  const int32_t half = step / 2, last = (int32_t)n - 1;
  const float divisor = (float)step;
  for (size_t i = 0; i < n; i++) {
    const int32_t nearest = (source[i] + 32) >> 6;
    const int32_t p = source[i] < 0 ? 0 : parallax[source[i] < 0 ? 0 : nearest < last ? nearest : last];
    // Both numbers are below 2²⁴, so the rounded and the exact quotient have the same integer part.
    const int32_t value = 128 + (int32_t)((float)(p + half) / divisor);
    level[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
}

/// y[i] = the maximum of x[i - radius ... i + radius] within the row; `scratch` has room for 2·(n + 2·radius) bytes.
static void NAME(widen_bytes)(size_t n, size_t radius, const uint8_t *x, uint8_t *y,
                              uint8_t *restrict scratch) {
  const size_t window = 2 * radius + 1, count = n + 2 * radius;
  uint8_t *restrict a = scratch, *restrict b = scratch + count;
  memset(a, 0, radius);
  memcpy(a + radius, x, n);
  memset(a + radius + n, 0, radius);
  // a[i] is the maximum of `reach` bytes from i.
  size_t reach = 1;
  for (; 2 * reach <= window; reach *= 2) {
    for (size_t i = 0; i + reach < count; i++) b[i] = a[i] > a[i + reach] ? a[i] : a[i + reach];
    memcpy(b + count - reach, a + count - reach, reach);
    uint8_t *t = a;
    a = b;
    b = t;
  }
  const uint8_t *end = a + window - reach;
  for (size_t i = 0; i < n; i++) y[i] = a[i] > end[i] ? a[i] : end[i];
}

#ifndef HISTORY_BLOCK
#define HISTORY_BLOCK 64
/// States of a pixel's history, and actions on it.
enum { history_nothing, history_invented, history_seen };
enum { history_keep, history_store, history_restore, history_mix, history_invent };
#endif

INLINE uint8_t NAME(history_action)(uint8_t hole, uint8_t level, uint8_t nearest, uint8_t distance,
                                    uint8_t known, uint8_t same) {
  const bool is_farther = level <= (int32_t)distance + same;
  const bool is_same = is_farther && distance <= (int32_t)level + same;
  const bool is_seen = known == history_seen, is_known = known != history_nothing;
  // Nearer content hides known content, which is kept. Beside nearer content, a color may be a mixture.
  const bool is_rim = nearest > (int32_t)level + same;
  const uint8_t shown =
      ((is_seen & !is_farther) | (is_rim & is_known)) ? history_keep : history_store;
  // Another surface that was visible at this pixel stays known.
  const uint8_t seen_there =
      is_same ? history_restore : level > distance ? history_keep : history_invent;
  const uint8_t hidden = is_seen ? seen_there : (is_same & is_known) ? history_mix : history_invent;
  return hole ? hidden : shown;
}

static void NAME(hole_history)(size_t n, uint8_t same, const uint8_t *restrict holes,
                               const uint8_t *restrict levels, const uint8_t *restrict nearest,
                               uint8_t *restrict colors, uint8_t *restrict distances,
                               uint8_t *restrict known, uint8_t *restrict result) {
  for (size_t first = 0; first < n; first += HISTORY_BLOCK) {
    const size_t count = n - first < HISTORY_BLOCK ? n - first : HISTORY_BLOCK;
    uint8_t actions[HISTORY_BLOCK];
    for (size_t i = 0; i < count; i++) {
      const size_t p = first + i;
      actions[i] = NAME(history_action)(holes[p], levels[p], nearest[p], distances[p], known[p], same);
    }
    // Most blocks show one surface.
    bool stores = count == HISTORY_BLOCK;
    for (size_t i = 0; i < count; i++) stores &= actions[i] == history_store;
    if (stores) {
      memcpy(colors + 3 * first, result + 3 * first, 3 * HISTORY_BLOCK);
      memcpy(distances + first, levels + first, HISTORY_BLOCK);
      memset(known + first, history_seen, HISTORY_BLOCK);
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      const size_t p = first + i;
      uint8_t *color = colors + 3 * p, *shown = result + 3 * p;
      const uint8_t action = actions[i];
      if (action == history_keep) continue;
      if (action == history_restore) {
        memcpy(shown, color, 3);
        continue;
      }
      if (action == history_mix)
        for (size_t c = 0; c < 3; c++) shown[c] = (uint8_t)((4 * color[c] + shown[c] + 2) / 5);
      memcpy(color, shown, 3);
      distances[p] = levels[p];
      known[p] = action == history_store ? history_seen : history_invented;
    }
  }
}
