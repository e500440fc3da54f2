// What the checks of kernels share: two sets that run the same calls, memory that ends at a page which must not be touched, and a
// digest of each kernel's results, so that runs on two architectures can be compared.
#include "CDepthSIMD.h"
#include "../tiles/guarded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// The set that is checked, and the one of plain C that it is checked against.
extern const ck_kernels *tested, *plain;

/// Whether two sets must agree.
typedef enum {
  /// All sets of all architectures, to the bit: integers, and floats without fused operations.
  exact,
  /// Sets with fused multiply-add, to the bit; others nearly.
  fused,
  /// Sets with as many lanes, to the bit, since sums over lanes have an order; others nearly.
  sums,
} agreement;

/// Compares results of the kernel with those of the plain one, and adds them to its digest.
void expect_bytes(const char *kernel, const void *found, const void *expected, size_t bytes);
void expect_floats(const char *kernel, agreement agreement, const float *found, const float *expected, size_t count,
                   double tolerance);

/// Makes a call by both sets, `k`, each with a copy `y` of `count` floats; compares these and gives the first.
#define BOTH(kernel, agreement, start, count, tolerance, ...)                          \
  ({                                                                                   \
    const void *start_ = start;                                                        \
    float *results_[2];                                                                \
    for (int i_ = 0; i_ < 2; i_++) {                                                   \
      const ck_kernels *k = i_ ? plain : tested;                                       \
      float *y = results_[i_] = copy_of(start_, 4 * (count));                          \
      __VA_ARGS__;                                                                     \
    }                                                                                  \
    expect_floats(kernel, agreement, results_[0], results_[1], count, tolerance);      \
    results_[0];                                                                       \
  })

/// Memory until `release_all`, whose last byte is the last one before a page that must not be touched.
void *bytes_of(size_t count);
/// Random bytes; random floats in low … high.
uint8_t *random_bytes(size_t count);
float *random_floats(size_t count, float low, float high);
/// A copy, for a kernel that works in place.
void *copy_of(const void *source, size_t bytes);
void release_all(void);

static inline float random_float(float low, float high) {
  return low + (high - low) * (float)below(1 << 20) * 0x1p-20f;
}

void check_network(size_t number);
void check_tokens(size_t number);
void check_upsampling(size_t number);
void check_int8(size_t number);
void check_digest(size_t number);
