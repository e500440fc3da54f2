static void NAME(relu)(size_t n, float *y) {
  for (size_t i = 0; i < n; i++) y[i] = y[i] > 0 ? y[i] : 0;
}
