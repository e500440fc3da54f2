// U = G · g · Gᵀ in double precision: the transform is done once, so it may as well be exact.
static void NAME(winograd_kernel)(size_t tap_height, size_t tap_width, size_t rows, size_t cols,
                                  const double *g_rows, const double *g_cols, const float *taps,
                                  float *u, size_t position_row_stride, size_t position_stride) {
  double half[6][3][2 * LANES];  // G · g
  for (size_t i = 0; i < rows; i++)
    for (size_t b = 0; b < tap_width; b++)
      for (size_t j = 0; j < 2 * LANES; j++) {
        double sum = 0;
        for (size_t a = 0; a < tap_height; a++)
          sum += g_rows[i * tap_height + a] * taps[(a * tap_width + b) * 2 * LANES + j];
        half[i][b][j] = sum;
      }
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < cols; k++) {
      float *out = u + i * position_row_stride + k * position_stride;
      for (size_t j = 0; j < 2 * LANES; j++) {
        double sum = 0;
        for (size_t b = 0; b < tap_width; b++) sum += g_cols[k * tap_width + b] * half[i][b][j];
        out[j] = (float)sum;
      }
    }
}
