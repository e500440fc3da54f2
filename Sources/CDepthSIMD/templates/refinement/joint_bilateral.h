// out(p) = Σ_q w(p, q)·value(q) / Σ_q w(p, q)·weight(q) over the (2r+1)² window around p, with w(p, q) =
// 2^(decay[|Δy|] + decay[|Δx|] − |guide(p) − guide(q)|²). The guide is scaled and the decay is a logarithm,
// so one exponential computes both Gaussians.
static void NAME(joint_bilateral)(size_t n, size_t radius, const float *decay, ck_guided_row row,
                                  float *out) {
  const ptrdiff_t r = (ptrdiff_t)radius;
  for (size_t x = 0; x < n; x += LANES) {
    V red = *(const V *)(row.red + x);
    V green = *(const V *)(row.green + x);
    V blue = *(const V *)(row.blue + x);
    V sum = {0}, norm = {0}, lowest = sum - 100.0f;
    for (ptrdiff_t dy = -r; dy <= r; dy++) {
      const ptrdiff_t line = dy * (ptrdiff_t)row.pitch + (ptrdiff_t)x;
      const float *decay_y = decay + r + dy;
      for (ptrdiff_t dx = -r; dx <= r; dx++) {
        const ptrdiff_t q = line + dx;
        V a = *(const V *)(row.red + q) - red;
        V b = *(const V *)(row.green + q) - green;
        V c = *(const V *)(row.blue + q) - blue;
        V t = (*decay_y + decay[r + dx]) - (a * a + b * b + c * c);
        V w = NAME(exp2)(__builtin_elementwise_max(t, lowest));
        sum += w * *(const V *)(row.value + q);
        norm += w * *(const V *)(row.weight + q);
      }
    }
    NAME(store_quotient)(n - x, sum, norm, out + x);
  }
}
