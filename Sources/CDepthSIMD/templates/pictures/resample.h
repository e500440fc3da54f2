// Weighted sums of 8-bit samples in fixed point, exact in 32 bits: every instruction set gives the same bytes
// as Pillow. Weights have RESAMPLE_BITS fractional bits. A window's weights sum to one, and their magnitudes
// sum to less than two, so products with 255 fit.
#ifndef RESAMPLE_BITS
#define RESAMPLE_BITS 22
/// Strips that share loaded weights.
#define RESAMPLE_STRIPS 2
#endif

typedef int32_t NAME(VI)
    __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4), may_alias));
typedef uint8_t NAME(VB) __attribute__((vector_size(LANES), aligned(1), may_alias));
#define VI NAME(VI)
#define VB NAME(VB)

/// Rounds LANES sums to bytes.
static inline VI NAME(resample_rounded)(VI sum) {
  VI value = (sum + (1 << (RESAMPLE_BITS - 1))) >> RESAMPLE_BITS;
  return __builtin_elementwise_min(__builtin_elementwise_max(value, (VI){0}), (VI){0} + 255);
}

typedef int32_t NAME(VQ) __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint8_t NAME(VQB) __attribute__((vector_size(4)));
#define Q NAME(VQ)

static inline uint8_t NAME(resample_byte)(int32_t sum) {
  int32_t value = (sum + (1 << (RESAMPLE_BITS - 1))) >> RESAMPLE_BITS;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Along a row, every output pixel has its own window. Four rows are processed together in a strip: one byte
// of each row, then the next byte of each row. The terms of a pixel's sum are then adjacent. A vector
// contains several positions of four rows. For interleaved RGB, position p belongs to channel p mod 3, and
// three vectors hold whole pixels.
/// Repeats each of the next LANES / 4 weights four times.
INLINE VI NAME(each_four_times)(const int32_t *weights) {
#if LANES == 16
  const Q w = *(const Q *)weights;
  return __builtin_shufflevector(w, w, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
#elif LANES == 8
  const Q w = {weights[0], weights[1]};
  return __builtin_shufflevector(w, w, 0, 0, 0, 0, 1, 1, 1, 1);
#else
  return (VI){0} + weights[0];
#endif
}

/// Computes the output pixels of two strips. Input strips are `length` bytes apart, output strips
/// `out_length` bytes.
static void NAME(resample_strips)(size_t count, const int32_t *starts, size_t positions, size_t pitch,
                                  const int32_t *weights, size_t length, const uint8_t *strip,
                                  size_t out_length, uint8_t *out) {
  enum { step = LANES / 4, all = RESAMPLE_STRIPS };
  for (size_t i = 0; i < count; i++, weights += pitch) {
    VI sums[all][3] = {0};
    const uint8_t *first = strip + 4 * starts[i];
    for (size_t p = 0; p < positions; p += 3 * step)
      for (size_t a = 0; a < 3; a++) {
        const VI w = NAME(each_four_times)(weights + p + a * step);
        for (size_t s = 0; s < all; s++) {
          const VB b = *(const VB *)(first + s * length + 4 * (p + a * step));
          sums[s][a] += __builtin_convertvector(b, VI) * w;
        }
      }
    for (size_t s = 0; s < all; s++) {
      Q parts[3 * step];
      __builtin_memcpy(parts, sums[s], sizeof parts);
      for (size_t c = 0; c < 3; c++) {
        Q sum = parts[c];
        for (size_t p = c + 3; p < 3 * step; p += 3) sum += parts[p];
        Q value = (sum + (1 << (RESAMPLE_BITS - 1))) >> RESAMPLE_BITS;
        value = __builtin_elementwise_min(__builtin_elementwise_max(value, (Q){0}), (Q){0} + 255);
        const NAME(VQB) bytes = __builtin_convertvector(value, NAME(VQB));
        __builtin_memcpy(out + s * out_length + 12 * i + 4 * c, &bytes, 4);
      }
    }
  }
}

static void NAME(resample_rgb)(size_t rows, size_t count, const int32_t *starts, size_t positions,
                               size_t pitch, const int32_t *weights, size_t n, size_t stride_in,
                               const uint8_t *x, size_t stride_out, uint8_t *y, size_t reach,
                               uint8_t *restrict scratch) {
  enum { at_once = 4 * RESAMPLE_STRIPS };
  const size_t length = 4 * reach, out_length = 12 * count;
  uint8_t *const out = scratch + RESAMPLE_STRIPS * length;
  for (size_t row = 0; row < rows; row += at_once) {
    for (size_t s = 0; s < RESAMPLE_STRIPS; s++) {
      // Missing rows at the end repeat the last row.
      const uint8_t *source[4];
      for (size_t r = 0; r < 4; r++) {
        const size_t wanted = row + 4 * s + r;
        source[r] = x + (wanted < rows ? wanted : rows - 1) * stride_in;
      }
      uint8_t *strip = scratch + s * length;
      for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < 4; r++) strip[4 * i + r] = source[r][i];
      memset(strip + 4 * n, 0, length - 4 * n);
    }
    NAME(resample_strips)(count, starts, positions, pitch, weights, length, scratch, out_length, out);
    for (size_t r = 0; r < at_once && row + r < rows; r++) {
      const uint8_t *found = out + r / 4 * out_length + r % 4;
      uint8_t *target = y + (row + r) * stride_out;
      for (size_t i = 0; i < 3 * count; i++) target[i] = found[4 * i];
    }
  }
}

// Down the columns, all bytes of a row have the same weight.
static void NAME(resample_rows)(
    size_t n, size_t taps, const int32_t *weights, size_t stride, const uint8_t *x, uint8_t *y) {
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    VI sums[4] = {0};
    for (size_t t = 0; t < taps; t++)
      for (size_t a = 0; a < 4; a++) {
        VB b = *(const VB *)(x + t * stride + i + a * LANES);
        sums[a] += __builtin_convertvector(b, VI) * weights[t];
      }
    for (size_t a = 0; a < 4; a++)
      *(VB *)(y + i + a * LANES) = __builtin_convertvector(NAME(resample_rounded)(sums[a]), VB);
  }
  for (; i < n; i++) {
    int32_t sum = 0;
    for (size_t t = 0; t < taps; t++) sum += weights[t] * x[t * stride + i];
    y[i] = NAME(resample_byte)(sum);
  }
}
#undef VI
#undef VB
#undef Q
