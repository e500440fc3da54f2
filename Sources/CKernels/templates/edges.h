// Where depth may jump between neighbours. Nearly no pixel is such a place, so that all but a few pairs
// are done with after four comparisons.

/// Writes those i < n where one of p[i] and q[i], or one of y[i] and z[i], is more than `ratio` times the
/// other, ascending. Returns how many.
static size_t NAME(edge_candidates)(size_t n, const double *p, const double *q, const float *y,
                                    const float *z, float ratio, uint32_t *indices) {
  enum { step = LANES / 2 };
  const double wide = ratio;
  size_t count = 0, i = 0;
  for (; i + step <= n; i += step) {
    const NAME(doubles) a = *(const NAME(doubles) *)(p + i), b = *(const NAME(doubles) *)(q + i);
    const NAME(floats) c = *(const NAME(floats) *)(y + i), d = *(const NAME(floats) *)(z + i);
    const NAME(masks) found = (a > wide * b) | (b > wide * a);
    const NAME(masks) wanted = __builtin_convertvector((c > ratio * d) | (d > ratio * c), NAME(masks));
    const NAME(masks) either = found | wanted;
    if (__builtin_reduce_or(either) == 0) continue;
    for (size_t k = 0; k < step; k++)
      if (either[k]) indices[count++] = (uint32_t)(i + k);
  }
  for (; i < n; i++)
    if (p[i] > wide * q[i] || q[i] > wide * p[i] || y[i] > ratio * z[i] || z[i] > ratio * y[i])
      indices[count++] = (uint32_t)i;
  return count;
}
