#ifndef CKERNELS_H
#define CKERNELS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Instruction sets, slowest first.
typedef enum __attribute__((enum_extensibility(closed), swift_name("InstructionSet"))) {
  ck_baseline __attribute__((swift_name("baseline"))) = 0,
  ck_avx2 __attribute__((swift_name("avx2"))) = 1,
  ck_avx512 __attribute__((swift_name("avx512"))) = 2,
} ck_isa;

/// One implementation of every kernel.
typedef struct {
  /// y[i] = max(x[i], 0) for i in 0..<n, in place; a value that is not a number becomes 0.
  void (*_Nonnull relu)(size_t n, float *_Nonnull y);
} ck_kernels;

/// Whether this processor (and operating system) can run `isa`.
bool ck_is_supported(ck_isa isa);
/// The kernels of one instruction set. Call only sets that are supported.
const ck_kernels *_Nonnull ck_kernels_for(ck_isa isa);
#endif
