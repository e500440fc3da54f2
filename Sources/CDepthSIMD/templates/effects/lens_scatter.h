// Each pixel becomes a disc of light, added to a row as steps of running sums.

/// Neighbors of one defocus from which their steps are added together.
#ifndef LENS_SHORTEST_RUN
#define LENS_SHORTEST_RUN 4
#endif

static void NAME(lens_light)(size_t n, const float *restrict linear, const uint8_t *restrict rgb,
                             float *restrict light) {
  for (size_t i = 0; i < n; i++)
    *(V4 *)(light + 4 * i) = (V4){linear[rgb[3 * i]], linear[rgb[3 * i + 1]], linear[rgb[3 * i + 2]], 1};
}

static size_t NAME(lens_runs)(size_t n, size_t block, const int32_t *restrict reach,
                              const int16_t *restrict levels, ck_lens_run *restrict runs) {
  size_t count = 0, next;
  for (size_t x = 0; x < n; x = next) {
    const int32_t level = levels[x];
    const size_t end = (x / block + 1) * block < n ? (x / block + 1) * block : n;
    for (next = x + 1; next < end && levels[next] == level;) next++;
    runs[count++] = (ck_lens_run){(int32_t)x, (int32_t)(next - x), level, reach[level < 0 ? -level : level]};
  }
  return count;
}

/// steps[i] += light[i] · here + light[i - 1] · before, with nothing before the first pixel and behind the last.
INLINE void NAME(add_run)(size_t count, const float *restrict light, float here, float before,
                          float *restrict steps) {
  const size_t n = 4 * count;
  *(V4 *)steps += *(const V4 *)light * here;
  size_t i = 4;
  for (; i + LANES <= n; i += LANES)
    *(V *)(steps + i) += *(const V *)(light + i) * here + *(const V *)(light + i - 4) * before;
#if LANES > 4
  for (; i < n; i += 4)
    *(V4 *)(steps + i) += *(const V4 *)(light + i) * here + *(const V4 *)(light + i - 4) * before;
#endif
  *(V4 *)(steps + n) += *(const V4 *)(light + n - 4) * before;
}

INLINE ptrdiff_t NAME(held)(ptrdiff_t x, ptrdiff_t width) { return x < 0 ? 0 : x < width ? x : width; }

/// One pixel in column x of the sums; what lies beyond their ends counts there.
INLINE void NAME(add_point)(V4 light, ptrdiff_t x, ck_aperture_row row, ptrdiff_t width, float *steps) {
  const ptrdiff_t left = x + row.left, right = x + row.right;
  *(V4 *)(steps + 4 * NAME(held)(left, width)) += light * row.rise;
  *(V4 *)(steps + 4 * NAME(held)(left + 1, width)) += light * row.rise_next;
  *(V4 *)(steps + 4 * NAME(held)(right, width)) += light * row.fall;
  *(V4 *)(steps + 4 * NAME(held)(right + 1, width)) += light * row.fall_next;
}

/// The steps of the layer that pixels in columns first ..< first + count of the sums add to.
INLINE float *NAME(layer_steps)(size_t layer, ck_aperture_row row, ptrdiff_t first, ptrdiff_t count,
                                ck_lens_sums sums) {
  const ptrdiff_t width = (ptrdiff_t)sums.width;
  const int32_t left = (int32_t)NAME(held)(first + row.left, width);
  const int32_t end = (int32_t)NAME(held)(first + count + row.right, width) + 1;
  ck_lens_range *range = sums.ranges + layer;
  range->first = left < range->first ? left : range->first;
  range->end = end > range->end ? end : range->end;
  return sums.steps + 4 * layer * (sums.width + 2);
}

static void NAME(scatter_runs)(size_t count, const ck_lens_run *restrict runs, ck_lens lens,
                               int32_t distance, int32_t shift, const float *restrict light,
                               ck_lens_sums sums) {
  const int32_t rows = distance < 0 ? -distance : distance;
  const ptrdiff_t width = (ptrdiff_t)sums.width;
  for (size_t r = 0; r < count; r++) {
    const ck_lens_run run = runs[r];
    if (run.reach < rows) continue;
    const int32_t level = run.level + lens.largest;
    const ck_aperture_row row = lens.rows[lens.middle[level] + distance];
    const ptrdiff_t first = run.first + shift;
    float *steps = NAME(layer_steps)(lens.layer[level], row, first, run.count, sums);
    const float *from = light + 4 * run.first;
    const ptrdiff_t left = first + row.left, right = first + row.right;
    if (run.count >= LENS_SHORTEST_RUN && left >= 0 && right + run.count <= width) {
      NAME(add_run)((size_t)run.count, from, row.rise, row.rise_next, steps + 4 * left);
      NAME(add_run)((size_t)run.count, from, row.fall, row.fall_next, steps + 4 * right);
    } else {
      for (ptrdiff_t i = 0; i < run.count; i++)
        NAME(add_point)(*(const V4 *)(from + 4 * i), first + i, row, width, steps);
    }
  }
}

static void NAME(scatter_points)(size_t count, const int32_t *restrict columns,
                                 const int16_t *restrict levels, ck_lens lens, int32_t distance,
                                 int32_t shift, const float *restrict light, ck_lens_sums sums) {
  const int32_t rows = distance < 0 ? -distance : distance;
  for (size_t i = 0; i < count; i++) {
    const int32_t level = levels[i];
    if (lens.reach[level < 0 ? -level : level] < rows) continue;
    const ck_aperture_row row = lens.rows[lens.middle[level + lens.largest] + distance];
    const ptrdiff_t x = columns[i] + shift;
    float *steps = NAME(layer_steps)(lens.layer[level + lens.largest], row, x, 1, sums);
    NAME(add_point)(*(const V4 *)(light + 4 * i), x, row, (ptrdiff_t)sums.width, steps);
  }
}
