// Depthwise convolution of maps (N, H, W, C) in memory, forwards and backwards: `depthwise.py` compiles and calls it, once for maps in
// float32 and once, with BFLOAT16 defined, for maps in bfloat16. Sums are in float32. A kernel is (k, k, C) of float32, k = 3 or 5,
// centred: the border is padded by k / 2 zeros.

#include <stdint.h>
#include <string.h>

// Floats of a vector register. AVX2 has 16 registers, into which the inputs, sums and weight of `add_row` fit.
#ifdef __AVX512F__
enum { lanes = 16 };
#else
enum { lanes = 8 };
#endif
typedef float Lanes __attribute__((vector_size(4 * lanes)));
typedef uint32_t Bits __attribute__((vector_size(4 * lanes)));

#define INLINE static inline __attribute__((always_inline))

// Up to `lanes` neighbouring channels; those beyond `count` are zero.
INLINE Lanes loaded_floats(const float *from, int count) {
  Lanes values = {0};
  memcpy(&values, from, 4 * (size_t)count);
  return values;
}

#ifdef BFLOAT16
typedef uint16_t Value;
typedef Value Halves __attribute__((vector_size(2 * lanes)));

INLINE Lanes loaded(const Value *from, int count) {
  Halves halves = {0};
  memcpy(&halves, from, 2 * (size_t)count);
  return (Lanes)(__builtin_convertvector(halves, Bits) << 16);
}

// To the nearest value, ties to even. Values are finite.
INLINE void store(Value *to, Lanes values, int count) {
  Bits bits = (Bits)values;
  Halves halves = __builtin_convertvector((bits + 0x7fff + (bits >> 16 & 1)) >> 16, Halves);
  memcpy(to, &halves, 2 * (size_t)count);
}
#else
typedef float Value;

INLINE Lanes loaded(const Value *from, int count) { return loaded_floats(from, count); }

INLINE void store(Value *to, Lanes values, int count) { memcpy(to, &values, 4 * (size_t)count); }
#endif

INLINE Lanes clamped(Lanes values) {
  const Lanes six = (Lanes){0} + 6;
  const Bits above = (Bits)(values >= six);
  return (Lanes)(((Bits)values & (Bits)(values > 0) & ~above) | ((Bits)six & above));
}

// The gradient where 0 < activated < 6.
INLINE Lanes through_relu6(Lanes gradient, Lanes activated) {
  return (Lanes)((Bits)gradient & (Bits)(activated > 0) & (Bits)(activated < 6));
}

INLINE void pass_relu6(const Value *gradient, const Value *activated, Value *passed, int count) {
  store(passed, through_relu6(loaded(gradient, count), loaded(activated, count)), count);
}

// First and last index of a kernel whose input 'at' + index lies within 'extent'.
INLINE int first_of(int at) { return at < 0 ? -at : 0; }
INLINE int end_of(int at, int extent, int k) { return extent - at < k ? extent - at : k; }

enum { columns_at_once = 4 };

// With stride 1, of neighbouring columns at once: adds a row's products to `sums`. `from` is the first column's leftmost input.
INLINE void add_row(Lanes *sums, const Value *from, const float *kernel, int channels, int k, int mirrored, int count) {
  Lanes inputs[columns_at_once + 4];
  for (int j = 0; j < columns_at_once + k - 1; j++) inputs[j] = loaded(from + (int64_t)j * channels, count);
  for (int j = 0; j < k; j++) {
    const Lanes weight = loaded_floats(kernel + (mirrored ? k - 1 - j : j) * channels, count);
    for (int column = 0; column < columns_at_once; column++) sums[column] += weight * inputs[column + j];
  }
}

INLINE int are_inside(int column, int columns, int k) {
  return column >= k / 2 && column + columns_at_once + k / 2 <= columns;
}

INLINE void forward_block(const Value *x, const float *kernel, const float *bias, Value *y, int height, int width,
                          int channels, int row, int columns, int k, int stride, int count) {
  const int top = row * stride - k / 2, first_row = first_of(top), end_row = end_of(top, height, k);
  Lanes biases = loaded_floats(bias, count);
  for (int column = 0; column < columns; column++) {
    const int left = column * stride - k / 2;
    if (stride == 1 && are_inside(column, columns, k)) {
      Lanes sums[columns_at_once];
      for (int i = 0; i < columns_at_once; i++) sums[i] = biases;
      for (int i = first_row; i < end_row; i++)
        add_row(sums, x + ((int64_t)(top + i) * width + left) * channels, kernel + i * k * channels, channels, k, 0, count);
      for (int i = 0; i < columns_at_once; i++)
        store(y + ((int64_t)row * columns + column + i) * channels, clamped(sums[i]), count);
      column += columns_at_once - 1;
      continue;
    }
    Lanes sum = biases;
    for (int i = first_row; i < end_row; i++)
      for (int j = first_of(left); j < end_of(left, width, k); j++)
        sum += loaded_floats(kernel + (i * k + j) * channels, count) *
               loaded(x + ((int64_t)(top + i) * width + left + j) * channels, count);
    store(y + ((int64_t)row * columns + column) * channels, clamped(sum), count);
  }
}

// Of one output row: adds to the gradients of kernel and bias.
INLINE void kernel_block(const Value *x, const Value *gradient, float *of_kernel, float *of_bias, int height, int width,
                         int channels, int row, int columns, int k, int stride, int count) {
  const int top = row * stride - k / 2, first_row = first_of(top), end_row = end_of(top, height, k);
  Lanes bias = loaded_floats(of_bias, count);
  for (int column = 0; column < columns; column++)
    bias += loaded(gradient + ((int64_t)row * columns + column) * channels, count);
  memcpy(of_bias, &bias, 4 * (size_t)count);
  for (int i = first_row; i < end_row; i++) {
    Lanes sums[5];
    for (int j = 0; j < k; j++) sums[j] = loaded_floats(of_kernel + (i * k + j) * channels, count);
    const Value *inputs = x + (int64_t)(top + i) * width * channels;
    for (int column = 0; column < columns; column++) {
      const int left = column * stride - k / 2;
      if (stride == 1 && are_inside(column, columns, k)) {
        Lanes values[columns_at_once + 4];
        for (int j = 0; j < columns_at_once + k - 1; j++) values[j] = loaded(inputs + (int64_t)(left + j) * channels, count);
        for (int at = 0; at < columns_at_once; at++) {
          const Lanes g = loaded(gradient + ((int64_t)row * columns + column + at) * channels, count);
          for (int j = 0; j < k; j++) sums[j] += g * values[at + j];
        }
        column += columns_at_once - 1;
        continue;
      }
      const Lanes g = loaded(gradient + ((int64_t)row * columns + column) * channels, count);
      for (int j = 0; j < k; j++)
        if (left + j >= 0 && left + j < width) sums[j] += g * loaded(inputs + (int64_t)(left + j) * channels, count);
    }
    for (int j = 0; j < k; j++) memcpy(of_kernel + (i * k + j) * channels, &sums[j], 4 * (size_t)count);
  }
}

// Of one value of x: the sum over a kernel's rows and columns that it was multiplied by, from column `first` on.
INLINE Lanes input_sum(const Value *gradient, const float *kernel, int channels, int row, int rows, int column, int columns, int k,
                       int stride, int first, int count) {
  const int last_row = (row + k / 2) / stride, last_column = (column + k / 2) / stride;
  Lanes sum = {0};
  for (int i = (row + k / 2) % stride, from = last_row; i < k; i += stride, from--) {
    if (from < 0 || from >= rows) continue;
    for (int j = first, at = last_column; j < k; j += stride, at--)
      if (at >= 0 && at < columns)
        sum += loaded_floats(kernel + (i * k + j) * channels, count) *
               loaded(gradient + ((int64_t)from * columns + at) * channels, count);
  }
  return sum;
}

// Of one input row: the gradient of x, which is zero where a ReLU6 before cut.
INLINE void input_block(const Value *gradient, const float *kernel, const Value *x, Value *of_x, int width, int channels,
                        int row, int rows, int columns, int k, int stride, int count) {
  for (int column = 0; column < width; column++) {
    if (stride == 1 && are_inside(column, width, k)) {
      Lanes sums[columns_at_once] = {{0}};
      for (int i = 0; i < k; i++) {
        const int from = row + k / 2 - i;
        if (from >= 0 && from < rows)
          add_row(sums, gradient + ((int64_t)from * columns + column - k / 2) * channels, kernel + i * k * channels, channels, k, 1, count);
      }
      for (int i = 0; i < columns_at_once; i++) {
        const int64_t offset = ((int64_t)row * width + column + i) * channels;
        store(of_x + offset, through_relu6(sums[i], loaded(x + offset, count)), count);
      }
      column += columns_at_once - 1;
      continue;
    }
    const Lanes sum = stride == 1 || (column + k / 2) % 2 == 0
                          ? input_sum(gradient, kernel, channels, row, rows, column, columns, k, stride, 0, count)
                          : input_sum(gradient, kernel, channels, row, rows, column, columns, k, stride, 1, count);
    const int64_t offset = ((int64_t)row * width + column) * channels;
    store(of_x + offset, through_relu6(sum, loaded(x + offset, count)), count);
  }
}

#define IN_BLOCKS(call)                                              \
  for (int c = 0; c < channels; c += lanes) {                        \
    if (channels - c >= lanes) {                                     \
      const int count = lanes;                                       \
      call;                                                          \
    } else {                                                         \
      const int count = channels - c;                                \
      call;                                                          \
    }                                                                \
  }

#define FOR_EACH_SIZE(body)                                          \
  if (k == 3 && stride == 1) { body(3, 1) }                          \
  if (k == 3 && stride == 2) { body(3, 2) }                          \
  if (k == 5 && stride == 1) { body(5, 1) }                          \
  if (k == 5 && stride == 2) { body(5, 2) }

// y = relu6(convolution of x + bias).
void depthwise_forward(const Value *x, const float *kernel, const float *bias, Value *y, int batch, int height, int width,
                       int channels, int rows, int columns, int k, int stride) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int n = 0; n < batch; n++)
    for (int row = 0; row < rows; row++) {
      const Value *input = x + (int64_t)n * height * width * channels;
      Value *output = y + (int64_t)n * rows * columns * channels;
#define ROW(K, S) IN_BLOCKS(forward_block(input + c, kernel + c, bias + c, output + c, height, width, channels, row, columns, K, S, count))
      FOR_EACH_SIZE(ROW)
#undef ROW
    }
}

// From the gradient of y, those of x, kernel and bias; the last two are (batch, k, k, channels) and (batch, channels) of zeros, to be
// added up, so that sums do not depend on the number of threads. `passed` is space for the gradient before the ReLU6. The gradient of x
// is zero where x is not between 0 and 6.
void depthwise_backward(const Value *x, const float *kernel, const Value *y, const Value *of_y, Value *passed,
                        Value *of_x, float *of_kernel, float *of_bias, int batch, int height, int width, int channels, int rows,
                        int columns, int k, int stride) {
#pragma omp parallel for schedule(static)
  for (int n = 0; n < batch; n++) {
    const int64_t inputs = (int64_t)n * height * width * channels, outputs = (int64_t)n * rows * columns * channels;
    float *kernels = of_kernel + (int64_t)n * k * k * channels, *biases = of_bias + (int64_t)n * channels;
    int finished = 0; // rows of the gradient of x: each follows the last row that it depends on, while that is in the cache
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        const int64_t at = outputs + ((int64_t)row * columns + column) * channels;
        IN_BLOCKS(pass_relu6(of_y + at + c, y + at + c, passed + at + c, count))
      }
#define ROW(K, S)                                                                                                              \
  IN_BLOCKS(kernel_block(x + inputs + c, passed + outputs + c, kernels + c, biases + c, height, width, channels, row, columns, \
                         K, S, count))
      FOR_EACH_SIZE(ROW)
#undef ROW
      const int known = row == rows - 1 ? height : stride * (row + 1) - k / 2;
      for (; finished < known && finished < height; finished++) {
#define ROW(K, S)                                                                                                              \
  IN_BLOCKS(input_block(passed + outputs + c, kernel + c, x + inputs + c, of_x + inputs + c, width, channels, finished, rows, \
                        columns, K, S, count))
        FOR_EACH_SIZE(ROW)
#undef ROW
      }
    }
  }
}
