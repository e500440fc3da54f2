// Composites layers of light from front to back. Each layer fills coverage that earlier layers leave.

/// The coverage below which only rounding errors remain.
#ifndef LENS_LEAST_COVERAGE
#define LENS_LEAST_COVERAGE 1e-4f
#endif

/// Adds the visible part of a layer's light.
INLINE void NAME(add_layer)(V4 sum, float *light) {
  const float coverage = sum[3];
  if (!(coverage > LENS_LEAST_COVERAGE)) return;
  V4 found = *(const V4 *)light;
  const float left = 1 - found[3];
  // The code is branch-free, because a processor would mispredict half of the branches.
  const float part = (0 >= left ? 0 : left) / coverage;
  found += sum * (coverage <= left ? 1 : part);
  *(V4 *)light = found;
}

static void NAME(resolve_layers)(size_t layers, ck_lens_sums sums, float steps, const uint8_t *restrict coded,
                                 float *restrict light, uint8_t *restrict out) {
  const ptrdiff_t width = (ptrdiff_t)sums.width;
  memset(light, 0, 4 * sums.width * sizeof(float));
  for (size_t layer = layers; layer-- > 0;) {
    ck_lens_range *range = sums.ranges + layer;
    if (range->first >= range->end) continue;
    const ptrdiff_t first = range->first, end = range->end;
    float *rises = sums.steps + 4 * (layer * sums.pitch + sums.before), *falls = rises + 4 * sums.falls;
    V4 sum = {0};
    ptrdiff_t x = first;
    for (; x < 0 && x < end; x++) sum += *(const V4 *)(rises + 4 * x) + *(const V4 *)(falls + 4 * x);
    for (; x < end && x < width; x++) {
      sum += *(const V4 *)(rises + 4 * x) + *(const V4 *)(falls + 4 * x);
      NAME(add_layer)(sum, light + 4 * x);
    }
    const size_t size = 4 * (size_t)(end - first) * sizeof(float);
    memset(rises + 4 * first, 0, size);
    memset(falls + 4 * first, 0, size);
    *range = (ck_lens_range){INT32_MAX, INT32_MIN};
  }
  const V4 zero = {0}, most = zero + steps;
  for (ptrdiff_t x = 0; x < width; x++) {
    const V4 found = *(const V4 *)(light + 4 * x);
    const float coverage = found[3];
    const float least = LENS_LEAST_COVERAGE;
    V4 color = found * (steps / (least >= coverage ? least : coverage));
    color = __builtin_elementwise_min(__builtin_elementwise_max(color, zero), most);
    const VI4 index = __builtin_convertvector(color + 0.5f, VI4);
    for (int c = 0; c < 3; c++) out[3 * x + c] = coded[index[c]];
  }
}
