// Convolutions in bfloat16 of many shapes by every set that this machine supports and by the models of their instructions,
// against sums in the order of each instruction: every bit must be equal. What a kernel reads ends at a page that must not be
// touched, and several threads run the same call at once. Scripts/checks/check-tiles.sh compiles it with sanitizers.
#include "CDepthSIMD.h"
#include "../guarded.h"
#include "../trapped-tiles.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static const char *const names[] = {"avx512bf16", "amx", "bf16", "bf16-model", "amx-model"};
// The models follow the sets of ck_bfloat16_isa.
enum { model = 3, tile_model = 4 };

extern const ck_bfloat16_kernels ck_bfloat16_kernels_model, ck_bfloat16_kernels_amx_model;

static const ck_bfloat16_kernels *kernels_of(int set) {
  return set == model        ? &ck_bfloat16_kernels_model
         : set == tile_model ? &ck_bfloat16_kernels_amx_model
                             : ck_bfloat16_kernels_for((ck_bfloat16_isa)set);
}
enum { set_count = 5, thread_count = 5 };

/// Calls with instructions that ran on the model.
static atomic_size_t trapped;

typedef struct {
  size_t lines, pixels, columns, segments, pairs, pixel_stride, line_stride;
  bool has_residual, in_place, tiny;
  ptrdiff_t offsets[9];
  const uint8_t *x;
  const uint16_t *weights;  // columns × segments × 2·pairs
  const float *bias, *lower_bound, *residual;
  size_t y_pixel_stride, y_line_stride, count;
} convolution;

static float value(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float result;
  memcpy(&result, &wide, 4);
  return result;
}

/// Denormals are zeros.
static float normal(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x; }

static float add_product(float sum, const uint8_t *x, uint16_t weight) {
  uint16_t bits;
  memcpy(&bits, x, 2);
  return normal(fmaf(normal(value(bits)), normal(value(weight)), sum));
}

/// The orders in which instructions add: VDPBF16PS, TDPBF16PS and BFMMLA.
enum { pairs_order, tiles_order, odd_pairs_order, order_count };

/// a + b rounded to odd: toward zero, and to an odd last bit if that loses anything.
static float odd_sum(double a, double b) {
  double sum = a + b;
  const double second = sum - a, lost = (a - (sum - second)) + (b - second);
  const bool is_exact = lost == 0 && (double)(float)sum == sum;
  // What rounding to 64 bits lost may be on the other side of the sum.
  if (lost != 0 && (lost < 0) != (sum < 0)) sum = nextafter(sum, 0);
  float result = (float)sum;
  if (fabs((double)result) > fabs(sum)) result = nextafterf(result, 0);
  if (!is_exact) {
    uint32_t bits;
    memcpy(&bits, &result, 4);
    bits |= 1;
    memcpy(&result, &bits, 4);
  }
  return normal(result);
}

/// The product of value k of a run, without rounding.
static double product(const uint8_t *x, const uint16_t *w, size_t k) {
  uint16_t bits;
  memcpy(&bits, x + 2 * k, 2);
  const double result = (double)normal(value(bits)) * (double)normal(value(w[k]));
  return fabs(result) < 0x1p-126 ? copysign(0, result) : result;
}

/// One output's sum in an order.
static float sum_of(const convolution *c, const uint8_t *x, const uint16_t *w, int order) {
  float sum = 0;
  size_t part = c->pairs < 16 ? c->pairs : 16;
  while (c->pairs % part) part--;
  for (size_t s = 0; s < c->segments; s++) {
    const uint8_t *from = x + c->offsets[s];
    if (order == odd_pairs_order) {
      for (size_t k = 0; k < 2 * c->pairs; k += 2)
        sum = odd_sum((double)sum, (double)odd_sum(product(from, w, k), product(from, w, k + 1)));
    } else if (order == tiles_order) {
      for (size_t first = 0; first < c->pairs; first += part) {
        float even = 0, odd = 0;
        for (size_t k = first; k < first + part; k++) {
          even = add_product(even, from + 4 * k, w[2 * k]);
          odd = add_product(odd, from + 4 * k + 2, w[2 * k + 1]);
        }
        sum = normal(sum + normal(even + odd));
      }
    } else {
      for (size_t k = 0; k < c->pairs; k++) {
        sum = add_product(sum, from + 4 * k + 2, w[2 * k + 1]);
        sum = add_product(sum, from + 4 * k, w[2 * k]);
      }
    }
    w += 2 * c->pairs;
  }
  return sum;
}

static void reference(const convolution *c, int order, float *y) {
  for (size_t line = 0; line < c->lines; line++)
    for (size_t pixel = 0; pixel < c->pixels; pixel++)
      for (size_t column = 0; column < c->columns; column++) {
        const uint8_t *x = c->x + line * c->line_stride + pixel * c->pixel_stride;
        const size_t place = line * c->y_line_stride + pixel * c->y_pixel_stride + column;
        float sum = sum_of(c, x, c->weights + column * c->segments * 2 * c->pairs, order);
        sum += c->bias[column];
        if (c->has_residual) sum += c->residual[place];
        y[place] = sum > c->lower_bound[column] ? sum : c->lower_bound[column];
      }
}

/// Weights in the panels of a set.
static guarded packed(const convolution *c, size_t width) {
  const size_t panels = (c->columns + width - 1) / width, rows = c->segments * c->pairs;
  const guarded g = guarded_bytes(panels * rows * width * 4);
  for (size_t column = 0; column < c->columns; column++)
    for (size_t k = 0; k < 2 * rows; k++)
      memcpy(g.bytes + ((((column / width) * rows + k / 2) * width + column % width) * 2 + k % 2) * 2,
             c->weights + column * 2 * rows + k, 2);
  return g;
}

typedef struct {
  const ck_bfloat16_kernels *kernels;
  ck_bfloat16_convolution call;
  const convolution *c;
  const float *expected;
  bool is_equal;
} job;

/// One call, on memory of its own for the result.
static void *run(void *argument) {
  job *j = argument;
  const size_t size = j->c->count * sizeof(float);
  float *y = malloc(size);
  memset(y, 0x5A, size);
  if (j->c->in_place) memcpy(y, j->c->residual, size), j->call.epilogue.residual = y;
  j->call.y = y;
  j->kernels->convolution(&j->call);
  trapped += finish_trapped_tiles();
  j->is_equal = memcmp(y, j->expected, size) == 0;
  free(y);
  return NULL;
}

/// A value of one to eight bits; a tiny one's products are around the smallest normal float.
static uint16_t random_value(bool tiny) {
  const size_t exponent = tiny ? 60 + below(9) : 120 + below(9);
  return (uint16_t)(below(2) << 15 | exponent << 7 | below(128));
}

static bool check(size_t number, const bool *tested) {
  static const size_t pixels[] = {1, 2, 5, 12, 13, 15, 16, 17, 24, 31, 32, 33, 34, 50};
  static const size_t pairs[] = {1, 2, 3, 4, 5, 7, 11, 12, 16, 17, 19, 24, 32, 34, 48};
  static const size_t segments[] = {1, 2, 3, 4, 9};
  convolution c = {
      .lines = 1 + below(4),
      .pixels = pixels[below(sizeof pixels / sizeof *pixels)],
      .columns = 1 + below(70),
      .segments = segments[below(5)],
      .pairs = pairs[below(sizeof pairs / sizeof *pairs)],
      .has_residual = below(2),
      .tiny = below(6) == 0,
  };
  c.in_place = c.has_residual && below(2);
  const size_t depth = 2 * c.pairs, taps = c.segments;
  // Runs may overlap, and pixels have an odd number of values.
  c.pixel_stride = below(3) == 0 ? 2 * (1 + below(depth)) : 2 * depth;
  c.line_stride = (c.pixels + 2) * c.pixel_stride;
  size_t last = 0;
  for (size_t s = 0; s < taps; s++) {
    c.offsets[s] = (ptrdiff_t)((s / 3) * c.line_stride + (s % 3) * c.pixel_stride);
    if ((size_t)c.offsets[s] > last) last = (size_t)c.offsets[s];
  }
  const size_t bytes =
      (c.lines - 1) * c.line_stride + (c.pixels - 1) * c.pixel_stride + last + 2 * depth;
  const guarded x = guarded_bytes(bytes);
  for (size_t i = 0; i < bytes; i += 2) {
    const uint16_t bits = random_value(c.tiny);
    memcpy(x.bytes + i, &bits, 2);
  }
  uint16_t *weights = malloc(c.columns * taps * depth * sizeof *weights);
  for (size_t i = 0; i < c.columns * taps * depth; i++) weights[i] = random_value(c.tiny);
  float *factors = malloc(2 * c.columns * sizeof *factors);
  for (size_t i = 0; i < c.columns; i++) {
    factors[i] = c.tiny ? 0 : value(random_value(false));
    factors[c.columns + i] = below(2) ? 0 : -INFINITY;
  }
  c.x = x.bytes, c.weights = weights, c.bias = factors, c.lower_bound = factors + c.columns;
  c.y_pixel_stride = (1 + below(2)) * (c.columns + below(3));
  c.y_line_stride = c.pixels * c.y_pixel_stride;
  c.count = (c.lines - 1) * c.y_line_stride + (c.pixels - 1) * c.y_pixel_stride + c.columns;
  const size_t size = c.count * sizeof(float);
  float *residual = malloc(size), *expected[order_count] = {malloc(size), malloc(size), malloc(size)};
  for (size_t i = 0; i < c.count; i++) residual[i] = c.tiny ? 0 : value(random_value(false));
  c.residual = residual;
  for (int order = 0; order < order_count; order++) {
    memset(expected[order], 0x5A, size);
    if (c.in_place) memcpy(expected[order], residual, size);
    reference(&c, order, expected[order]);
  }

  bool is_right = true;
  for (int set = 0; set < set_count; set++) {
    if (!tested[set]) continue;
    const int order = set == ck_bfloat16_neon                                      ? odd_pairs_order
                      : set == ck_bfloat16_amx || set == tile_model ? tiles_order
                                                                               : pairs_order;
    const ck_bfloat16_kernels *kernels = kernels_of(set);
    const guarded panels = packed(&c, kernels->panel_width);
    const ck_bfloat16_convolution call = {
        c.lines, c.pixels, c.columns, taps, c.pairs, c.x, c.pixel_stride, c.line_stride, c.offsets,
        (const uint16_t *)panels.bytes, expected[0], c.y_pixel_stride, c.y_line_stride,
        {c.bias, c.lower_bound, c.has_residual ? residual : NULL, c.y_pixel_stride, 0},
        c.y_line_stride};
    job jobs[thread_count];
    pthread_t threads[thread_count];
    const int used = number % 8 ? 1 : thread_count;
    for (int t = 0; t < used; t++) jobs[t] = (job){kernels, call, &c, expected[order], false};
    for (int t = 1; t < used; t++)
      if (pthread_create(&threads[t], NULL, run, &jobs[t])) abort();
    run(&jobs[0]);
    for (int t = 1; t < used; t++) pthread_join(threads[t], NULL);
    for (int t = 0; t < used; t++)
      if (!jobs[t].is_equal) {
        printf("%s differs: %zu lines × %zu pixels × %zu columns, %zu runs of %zu pairs%s%s%s\n",
               names[set], c.lines, c.pixels, c.columns, taps, c.pairs,
               c.has_residual ? ", residual" : "", c.in_place ? " in place" : "",
               c.tiny ? ", tiny" : "");
        is_right = false;
        break;
      }
    release(panels);
  }
  release(x);
  free(weights), free(factors), free(residual), free(expected[0]), free(expected[1]), free(expected[2]);
  return is_right;
}

int main(int count, char **arguments) {
  const size_t cases = count > 1 ? (size_t)atol(arguments[1]) : 500;
  bool tested[set_count];
  for (int set = 0; set < set_count; set++) {
    tested[set] = set >= model || ck_bfloat16_is_supported((ck_bfloat16_isa)set);
    const char *what = tested[set] ? "tested" : "SKIPPED, this machine does not have it";
    if (set == ck_bfloat16_amx && !tested[set] && tested[ck_bfloat16_avx512] && trap_tiles()) {
      tested[set] = true;
      what = "NOT ON THIS MACHINE: its instructions are trapped and run on the model";
    }
    printf("bfloat16 by %s: %s\n", names[set], what);
  }
  size_t wrong = 0;
  for (size_t number = 0; number < cases; number++) wrong += !check(number, tested);
  printf("%zu convolutions, %zu with a set that differs, %zu calls with trapped instructions\n", cases,
         wrong, (size_t)trapped);
  return wrong != 0;
}
