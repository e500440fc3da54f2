// Possible depth jumps between neighbors. Jumps are rare, so nearly all pairs need only four comparisons.

/// Writes the ascending i < n where p[i] and q[i], or y[i] and z[i], differ by more than a factor of `ratio`,
/// and returns their number.
static size_t NAME(edge_candidates)(size_t n, const float *p, const float *q, const float *y,
                                    const float *z, float ratio, uint32_t *indices) {
  size_t count = 0, i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V a = *(const V *)(p + i), b = *(const V *)(q + i);
    const V c = *(const V *)(y + i), d = *(const V *)(z + i);
    const VI either = (VI)((a > ratio * b) | (b > ratio * a) | (c > ratio * d) | (d > ratio * c));
    if (__builtin_reduce_or(either) == 0) continue;
    for (size_t k = 0; k < LANES; k++)
      if (either[k]) indices[count++] = (uint32_t)(i + k);
  }
  for (; i < n; i++)
    if (p[i] > ratio * q[i] || q[i] > ratio * p[i] || y[i] > ratio * z[i] || z[i] > ratio * y[i])
      indices[count++] = (uint32_t)i;
  return count;
}
