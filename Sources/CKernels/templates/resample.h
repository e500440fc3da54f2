// Weighted sums of 8-bit samples in fixed point, exact in 32 bits: every instruction set gives the
// same bytes, and the same as Pillow. Weights have RESAMPLE_BITS bits after the point; a window's
// weights sum to one and their magnitudes to less than two, so that 255 times them fits.
#ifndef RESAMPLE_BITS
#define RESAMPLE_BITS 22
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

typedef int32_t NAME(VQ) __attribute__((vector_size(16)));
typedef uint8_t NAME(VQB) __attribute__((vector_size(4)));
#define Q NAME(VQ)

/// The bytes of the three channels from the sums of 3 · LANES positions, in the first three of four.
static inline __attribute__((always_inline)) NAME(VQB) NAME(resample_channels)(const VI sums[3]) {
  // Four whole pixels are three vectors of four.
  Q parts[3 * LANES / 4];
  __builtin_memcpy(parts, sums, sizeof parts);
  Q a = parts[0], b = parts[1], c = parts[2];
  for (size_t i = 3; i < 3 * LANES / 4; i += 3) a += parts[i], b += parts[i + 1], c += parts[i + 2];
  // r g b r | g b r g | b r g b
  Q sum = a + __builtin_shufflevector(a, b, 3, 4, 5, 6) + __builtin_shufflevector(b, c, 2, 3, 4, 5) +
          __builtin_shufflevector(c, c, 1, 2, 3, 3);
  Q value = (sum + (1 << (RESAMPLE_BITS - 1))) >> RESAMPLE_BITS;
  value = __builtin_elementwise_min(__builtin_elementwise_max(value, (Q){0}), (Q){0} + 255);
  return __builtin_convertvector(value, NAME(VQB));
}

static inline uint8_t NAME(resample_byte)(int32_t sum) {
  int32_t value = (sum + (1 << (RESAMPLE_BITS - 1))) >> RESAMPLE_BITS;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Along a row, interleaved RGB lies as r g b r g b …: three vectors hold whole pixels, and position p
// of every such block belongs to channel p mod 3. Sums stay per position and meet at the end.
static inline __attribute__((always_inline)) void NAME(resample_rgb_n)(
    const size_t rows, size_t count, const int32_t *starts, size_t positions, size_t pitch,
    const int32_t *weights, size_t stride_in, const uint8_t *x, size_t stride_out, uint8_t *y) {
  for (size_t i = 0; i < count; i++, weights += pitch) {
    VI sums[4][3] = {0};
    const uint8_t *first = x + starts[i];
    for (size_t p = 0; p < positions; p += 3 * LANES)
      for (size_t a = 0; a < 3; a++) {
        VI w = *(const VI *)(weights + p + a * LANES);
        for (size_t r = 0; r < rows; r++) {
          VB b = *(const VB *)(first + r * stride_in + p + a * LANES);
          sums[r][a] += __builtin_convertvector(b, VI) * w;
        }
      }
    for (size_t r = 0; r < rows; r++) {
      NAME(VQB) bytes = NAME(resample_channels)(sums[r]);
      __builtin_memcpy(y + r * stride_out + 3 * i, &bytes, 3);
    }
  }
}

static void NAME(resample_rgb)(
    size_t rows, size_t count, const int32_t *starts, size_t positions, size_t pitch,
    const int32_t *weights, size_t stride_in, const uint8_t *x, size_t stride_out, uint8_t *y) {
  for (; rows >= 4; rows -= 4, x += 4 * stride_in, y += 4 * stride_out)
    NAME(resample_rgb_n)(4, count, starts, positions, pitch, weights, stride_in, x, stride_out, y);
  for (; rows > 0; rows--, x += stride_in, y += stride_out)
    NAME(resample_rgb_n)(1, count, starts, positions, pitch, weights, stride_in, x, stride_out, y);
}

// Down the columns every byte of a row has the same weight.
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
