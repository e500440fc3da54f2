static void NAME(weighted_sum)(size_t n, size_t count, const float *weights, const float *x,
                               ptrdiff_t step, float *y) {
  for (size_t i = 0; i < n; i += LANES) {
    V sum = {0};
    for (size_t k = 0; k < count; k++) sum += weights[k] * *(const V *)(x + i + (ptrdiff_t)k * step);
    if (n - i >= LANES) {
      *(V *)(y + i) = sum;
    } else {
      for (size_t l = 0; l < n - i; l++) y[i + l] = sum[l];
    }
  }
}
