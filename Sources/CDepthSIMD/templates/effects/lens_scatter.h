// Spreads each pixel into a disc of light, as steps of a row's running sums.

static void NAME(lens_light)(size_t n, const float *restrict linear, const uint8_t *restrict rgb,
                             float *restrict light) {
  for (size_t i = 0; i < n; i++)
    *(V4 *)(light + 4 * i) = (V4){linear[rgb[3 * i]], linear[rgb[3 * i + 1]], linear[rgb[3 * i + 2]], 1};
}

static size_t NAME(lens_runs)(size_t n, const int16_t *restrict levels, ck_lens_run *restrict runs) {
  size_t count = 0, next;
  for (size_t x = 0; x < n; x = next) {
    const int32_t level = levels[x];
    for (next = x + 1; next < n && levels[next] == level;) next++;
    runs[count++] = (ck_lens_run){(int32_t)x, (int32_t)(next - x), level};
  }
  return count;
}

typedef float NAME(pair) __attribute__((vector_size(8 * sizeof(float)), aligned(4)));
#define PAIR NAME(pair)

/// rise[i] += light[i] · row.rise + light[i - 1] · row.rise_next, with no light before the first and after the last pixel.
/// `fall` is computed in the same way. Reads one pixel past the last.
INLINE void NAME(add_run)(size_t count, const float *light, ck_aperture_row row, float *rise, float *fall) {
  const size_t n = 4 * count;
  *(V4 *)rise += *(const V4 *)light * row.rise;
  *(V4 *)fall += *(const V4 *)light * row.fall;
  size_t i = 4;
  for (; i + 8 <= n; i += 8) {
    const PAIR here = *(const PAIR *)(light + i), before = *(const PAIR *)(light + i - 4);
    *(PAIR *)(rise + i) += here * row.rise + before * row.rise_next;
    *(PAIR *)(fall + i) += here * row.fall + before * row.fall_next;
  }
  // The last pixel of an odd number, times 0 for an even number. A branch would be mispredicted half of the time.
  const float share = i < n ? 1 : 0;
  const V4 here = *(const V4 *)(light + i), before = *(const V4 *)(light + i - 4);
  *(V4 *)(rise + i) += (here * row.rise + before * row.rise_next) * share;
  *(V4 *)(fall + i) += (here * row.fall + before * row.fall_next) * share;
  const V4 last = *(const V4 *)(light + n - 4);
  *(V4 *)(rise + n) += last * row.rise_next;
  *(V4 *)(fall + n) += last * row.fall_next;
}
#undef PAIR

/// Adds the disc rows of pixels of one defocus level, from column x of the sums.
INLINE void NAME(add_rows)(size_t count, ptrdiff_t x, ck_aperture_row row, const float *light,
                           ck_lens_sums sums) {
  const int32_t left = (int32_t)x + row.left, right = (int32_t)x + row.right;
  ck_lens_range *range = sums.ranges + row.layer;
  const int32_t end = right + (int32_t)count + 1;
  range->first = left < range->first ? left : range->first;
  range->end = end > range->end ? end : range->end;
  float *rises = sums.steps + 4 * ((size_t)row.layer * sums.pitch + sums.before);
  float *falls = rises + 4 * sums.falls;
  NAME(add_run)(count, light, row, rises + 4 * (ptrdiff_t)left, falls + 4 * (ptrdiff_t)right);
}

static void NAME(scatter_runs)(size_t count, const ck_lens_run *restrict runs,
                               const ck_aperture_row *restrict rows, int32_t shift,
                               const float *restrict light, ck_lens_sums sums) {
  for (size_t i = 0; i < count; i++) {
    const ck_lens_run run = runs[i];
    const ck_aperture_row row = rows[run.level];
    if (row.layer >= 0)
      NAME(add_rows)((size_t)run.count, run.first + shift, row, light + 4 * run.first, sums);
  }
}

static void NAME(scatter_points)(size_t count, const int32_t *restrict columns,
                                 const int16_t *restrict levels, const ck_aperture_row *restrict rows,
                                 int32_t shift, const float *restrict light, ck_lens_sums sums) {
  for (size_t i = 0; i < count; i++) {
    const ck_aperture_row row = rows[levels[i]];
    if (row.layer >= 0) NAME(add_rows)(1, columns[i] + shift, row, light + 4 * i, sums);
  }
}
