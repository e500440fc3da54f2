// U = G · g · Gᵀ in double precision, because weights are transformed only once.

/// LANES doubles.
typedef double D __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/// Transforms one vector of columns; the four extents are constants after inlining.
INLINE void NAME(winograd_kernel_columns)(const size_t tap_height, const size_t tap_width,
                                          const size_t rows, const size_t cols,
                                          const double *g_rows, const double *g_cols,
                                          const float *taps, float *u, size_t position_row_stride,
                                          size_t position_stride) {
  D half[6][3];  // G · g
#pragma clang loop unroll(full)
  for (size_t b = 0; b < tap_width; b++) {
    D tap[3];
#pragma clang loop unroll(full)
    for (size_t a = 0; a < tap_height; a++)
      tap[a] = __builtin_convertvector(NAME(load)(taps + (a * tap_width + b) * 2 * LANES), D);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < rows; i++) {
      half[i][b] = g_rows[i * tap_height] * tap[0];
#pragma clang loop unroll(full)
      for (size_t a = 1; a < tap_height; a++) half[i][b] += g_rows[i * tap_height + a] * tap[a];
    }
  }
  for (size_t i = 0; i < rows; i++)
#pragma clang loop unroll(full)
    for (size_t k = 0; k < cols; k++) {
      D sum = half[i][0] * g_cols[k * tap_width];
#pragma clang loop unroll(full)
      for (size_t b = 1; b < tap_width; b++) sum += half[i][b] * g_cols[k * tap_width + b];
      NAME(store)(u + i * position_row_stride + k * position_stride, __builtin_convertvector(sum, V));
    }
}

static void NAME(winograd_kernel)(size_t tap_height, size_t tap_width, size_t rows, size_t cols,
                                  const double *g_rows, const double *g_cols, const float *taps,
                                  float *u, size_t position_row_stride, size_t position_stride) {
  for (size_t j = 0; j < 2 * LANES; j += LANES) {
#define EXTENTS(th, tw, r, c)                                                                      \
  if (tap_height == th && tap_width == tw && rows == r && cols == c)                               \
    NAME(winograd_kernel_columns)(th, tw, r, c, g_rows, g_cols, taps + j, u + j,                   \
                                  position_row_stride, position_stride);
    EXTENTS(3, 3, 4, 4) EXTENTS(2, 3, 3, 4) EXTENTS(3, 2, 4, 3) EXTENTS(2, 2, 3, 3)
    EXTENTS(3, 3, 6, 6) EXTENTS(2, 3, 5, 6) EXTENTS(3, 2, 6, 5) EXTENTS(2, 2, 5, 5)
#undef EXTENTS
  }
}
