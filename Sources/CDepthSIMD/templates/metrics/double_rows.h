// Rows of doubles, for stretched maps and their errors.

/// y[i] = a·u[i] + b·v[i].
static void NAME(blend_rows)(size_t n, double a, const double *u, double b, const double *v, double *y) {
  enum { step = LANES / 2 };
  typedef NAME(doubles) D;
  size_t i = 0;
  for (; i + step <= n; i += step) *(D *)(y + i) = a * *(const D *)(u + i) + b * *(const D *)(v + i);
  for (; i < n; i++) y[i] = a * u[i] + b * v[i];
}

/// y[i] = x[i], rounded.
static void NAME(round_row)(size_t n, const double *x, float *y) {
  enum { step = LANES / 2 };
  size_t i = 0;
  for (; i + step <= n; i += step)
    *(NAME(floats) *)(y + i) = __builtin_convertvector(*(const NAME(doubles) *)(x + i), NAME(floats));
  for (; i < n; i++) y[i] = (float)x[i];
}
