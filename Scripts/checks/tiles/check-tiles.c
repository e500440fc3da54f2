// Convolutions of 8-bit quantized values of many shapes by every set that this machine supports and by the models of tiles, against
// 64-bit integers: every bit must be equal. What a kernel reads ends at a page that must not be touched, and several threads
// run the same call at once. Scripts/checks/check-tiles.sh compiles it with sanitizers.
#include "CDepthSIMD.h"
#include "guarded.h"
#include "trapped-tiles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static const char *const names[] = {"baseline", "avx2",    "avxvnni", "avx512vnni", "amx",
                                    "neon",     "dotprod", "i8mm",    "amx-model",  "amx-model-avx512"};
// The models follow the sets of ck_int8_isa.
enum { model = 8, wide_model = 9, set_count = 10, thread_count = 5 };

// Those with the vectors of AVX-512 are compiled for x86-64 alone.
extern const ck_int8_kernels ck_int8_kernels_amx_model;
extern const ck_int8_kernels ck_int8_kernels_amx_model_avx512 __attribute__((weak));

static const ck_int8_kernels *kernels_of(int set) {
  return set == model        ? &ck_int8_kernels_amx_model
         : set == wide_model ? &ck_int8_kernels_amx_model_avx512
                             : ck_int8_kernels_for((ck_int8_isa)set);
}

static bool is_supported(int set) {
  return set == model || ck_int8_is_supported(set == wide_model ? ck_int8_avx512vnni : (ck_int8_isa)set);
}

/// Calls with instructions that ran on the model.
static atomic_size_t trapped;

/// One convolution: its numbers, and the arrays that the reference reads.
typedef struct {
  size_t lines, pixels, columns, segments, quads, pixel_stride, line_stride, spread, zero;
  bool floats, has_residual, in_place, extreme, lower_is_zero;
  ptrdiff_t offsets[9];
  const uint8_t *x;
  const int8_t *weights;  // columns × segments × 4·quads
  const int32_t *initial;
  const float *multiplier, *offset, *lower_bound;
  const uint8_t *residual;
  float residual_scale, quantization_factor, quantization_offset;
  size_t y_pixel_stride, y_line_stride, count;
} convolution;

static void reference(const convolution *c, void *y) {
  const size_t depth = 4 * c->quads;
  for (size_t line = 0; line < c->lines; line++)
    for (size_t pixel = 0; pixel < c->pixels; pixel++)
      for (size_t column = 0; column < c->columns; column++) {
        int64_t sum = c->initial[column];
        for (size_t s = 0; s < c->segments; s++) {
          const uint8_t *x = c->x + line * c->line_stride + pixel * c->pixel_stride + c->offsets[s];
          const int8_t *w = c->weights + (column * c->segments + s) * depth;
          for (size_t k = 0; k < depth; k++) sum += (int64_t)x[k] * w[k];
        }
        const size_t place = line * c->y_line_stride + pixel * c->y_pixel_stride + column;
        float value = (float)(int32_t)sum * c->multiplier[column];
        value += c->offset[column];
        if (c->has_residual) {
          const float added = (float)c->residual[place] * c->residual_scale;
          value += added;
        }
        if (value < c->lower_bound[column]) value = c->lower_bound[column];
        if (c->floats) {
          ((float *)y)[place] = value;
        } else {
          if (c->quantization_factor > 0) {
            value *= c->quantization_factor;
            value += c->quantization_offset;
            if (value < 0) value = 0;
          }
          if (value > 255) value = 255;
          value += 8388608.0f;  // rounds to the nearest integer, ties to even
          ((uint8_t *)y)[place] = (uint8_t)(int32_t)(value - 8388608.0f);
        }
      }
}

/// Weights in the panels of a set.
static guarded packed(const convolution *c, size_t width) {
  const size_t panels = (c->columns + width - 1) / width, rows = c->segments * c->quads;
  const guarded g = guarded_bytes(panels * rows * width * 4);
  for (size_t column = 0; column < c->columns; column++)
    for (size_t k = 0; k < 4 * rows; k++)
      g.bytes[(((column / width) * rows + k / 4) * width + column % width) * 4 + k % 4] =
          (uint8_t)c->weights[column * 4 * rows + k];
  return g;
}

typedef struct {
  const ck_int8_kernels *kernels;
  ck_int8_convolution call;
  const convolution *c;
  const void *expected, *residual;
  bool is_equal;
} job;

/// One call, on memory of its own for the result.
static void *run(void *argument) {
  job *j = argument;
  const size_t size = j->c->count * (j->c->floats ? 4 : 1);
  uint8_t *y = malloc(size);
  memset(y, 0x5A, size);
  if (j->c->in_place) memcpy(y, j->residual, size), j->call.epilogue.residual = y;
  j->call.y = y;
  j->kernels->convolution(&j->call);
  trapped += finish_trapped_tiles();
  j->is_equal = memcmp(y, j->expected, size) == 0;
  free(y);
  return NULL;
}

static float small(void) { return (float)((int)below(2001) - 1000) * 1e-3f; }

static bool check(size_t number, const bool *tested) {
  static const size_t pixels[] = {1, 2, 5, 13, 15, 16, 17, 31, 32, 33, 34, 48, 50};
  static const size_t quads[] = {1, 2, 3, 4, 5, 7, 12, 16, 17, 19, 24, 32, 34, 36, 48};
  static const size_t segments[] = {1, 2, 3, 4, 9};
  convolution c = {
      .lines = 1 + below(4),
      .pixels = pixels[below(sizeof pixels / sizeof *pixels)],
      .columns = 1 + below(70),
      .segments = segments[below(5)],
      .quads = quads[below(sizeof quads / sizeof *quads)],
      .spread = 1 + below(2),
      .floats = below(3) == 0,
      .has_residual = below(2),
      .extreme = below(8) == 0,
      .residual_scale = 0.37f,
      .lower_is_zero = below(2),
  };
  if (!c.floats && below(3) == 0) c.quantization_factor = 0.83f, c.quantization_offset = (float)below(2) * 12.25f;
  c.in_place = c.has_residual && !c.floats && below(2);
  const size_t depth = 4 * c.quads, taps = c.segments;
  c.pixel_stride = below(3) == 0 ? 4 * (c.quads + below(3)) : 2 * depth;
  c.line_stride = (c.pixels + 2) * c.pixel_stride;
  size_t last = 0;
  for (size_t s = 0; s < taps; s++) {
    c.offsets[s] = (ptrdiff_t)((s / 3) * c.line_stride + (s % 3) * c.pixel_stride);
    if ((size_t)c.offsets[s] > last) last = (size_t)c.offsets[s];
  }
  const size_t bytes =
      (c.lines - 1) * c.line_stride + (c.pixels - 1) * c.pixel_stride + last + depth;
  const guarded x = guarded_bytes(bytes);
  for (size_t i = 0; i < bytes; i++) x.bytes[i] = c.extreme ? 255 : (uint8_t)below(256);
  int8_t *weights = malloc(c.columns * taps * depth);
  for (size_t i = 0; i < c.columns * taps * depth; i++)
    weights[i] = (int8_t)(c.extreme ? (i / (taps * depth) % 2 ? 127 : -127) : (int)below(255) - 127);
  int32_t *initial = malloc(c.columns * sizeof *initial);
  float *factors = malloc(3 * c.columns * sizeof *factors);
  for (size_t i = 0; i < c.columns; i++) {
    initial[i] = (int32_t)below(200001) - 100000;
    factors[i] = small() * 4e-2f / (float)(taps * c.quads);
    factors[c.columns + i] = 128 + 90 * small();
    factors[2 * c.columns + i] = c.lower_is_zero ? 0 : c.floats ? -3 : (float)below(2) * 128;
  }
  c.x = x.bytes, c.weights = weights, c.initial = initial, c.multiplier = factors;
  c.offset = factors + c.columns, c.lower_bound = factors + 2 * c.columns;
  c.y_pixel_stride = c.spread * (c.columns + below(3));
  c.y_line_stride = c.pixels * c.y_pixel_stride;
  c.count = (c.lines - 1) * c.y_line_stride + (c.pixels - 1) * c.y_pixel_stride + c.columns;
  uint8_t *residual = malloc(c.count);
  for (size_t i = 0; i < c.count; i++) residual[i] = (uint8_t)below(256);
  c.residual = residual;
  const size_t size = c.count * (c.floats ? 4 : 1);
  uint8_t *expected = malloc(size);
  memset(expected, 0x5A, size);
  if (c.in_place) memcpy(expected, residual, size);
  reference(&c, expected);

  bool is_right = true;
  for (int set = 0; set < set_count; set++) {
    if (!tested[set]) continue;
    const ck_int8_kernels *kernels = kernels_of(set);
    const guarded panels = packed(&c, kernels->panel_width);
    const ck_int8_convolution call = {
        c.lines, c.pixels, c.columns, taps, c.quads, c.x, c.pixel_stride, c.line_stride, c.offsets,
        (int8_t *)panels.bytes, initial, expected, c.y_pixel_stride, c.y_line_stride, c.floats,
        {c.multiplier, c.offset, c.lower_bound, c.has_residual ? residual : NULL,
         c.y_pixel_stride, c.y_line_stride, c.residual_scale, NULL, 0, 0, 0, c.quantization_factor, c.quantization_offset,
         c.lower_is_zero}};
    job jobs[thread_count];
    pthread_t threads[thread_count];
    const int used = number % 8 ? 1 : thread_count;
    for (int t = 0; t < used; t++) jobs[t] = (job){kernels, call, &c, expected, residual, false};
    for (int t = 1; t < used; t++)
      if (pthread_create(&threads[t], NULL, run, &jobs[t])) abort();
    run(&jobs[0]);
    for (int t = 1; t < used; t++) pthread_join(threads[t], NULL);
    for (int t = 0; t < used; t++)
      if (!jobs[t].is_equal) {
        printf("%s differs: %zu lines × %zu pixels × %zu columns, %zu runs of %zu quads%s%s%s%s%s%s\n",
               names[set], c.lines, c.pixels, c.columns, taps, c.quads, c.floats ? ", floats" : "",
               c.has_residual ? ", residual" : "", c.in_place ? " in place" : "",
               c.extreme ? ", extreme" : "", c.quantization_factor > 0 ? ", of floats" : "",
               c.lower_is_zero ? ", lower bound 0" : "");
        is_right = false;
        break;
      }
    release(panels);
  }
  release(x);
  free(weights), free(initial), free(factors), free(residual), free(expected);
  return is_right;
}

int main(int count, char **arguments) {
  const size_t cases = count > 1 ? (size_t)atol(arguments[1]) : 500;
  bool tested[set_count];
  for (int set = 0; set < set_count; set++) {
    tested[set] = is_supported(set);
    const char *what = tested[set] ? "tested" : "SKIPPED, this machine does not have it";
    if (set == ck_int8_amx && !tested[set] && tested[ck_int8_avx512vnni] && trap_tiles()) {
      tested[set] = true;
      what = "NOT ON THIS MACHINE: its instructions are trapped and run on the model";
    }
    printf("%s: %s\n", names[set], what);
  }
  size_t wrong = 0;
  for (size_t number = 0; number < cases; number++) wrong += !check(number, tested);
  printf("%zu convolutions, %zu with a set that differs, %zu calls with trapped instructions\n", cases,
         wrong, (size_t)trapped);
  return wrong != 0;
}
