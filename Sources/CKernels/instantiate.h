// Compiles every template for one instruction set. Define ISA, LANES and, where the set has fused
// multiply-add, HAS_FMA first.
#include "CKernels.h"

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)

/// LANES floats; loads and stores need no alignment.
typedef float V __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

// Elementwise kernels agree to the bit on all instruction sets; products use FMA explicitly.
#pragma STDC FP_CONTRACT OFF

#include "templates/relu.h"
#include "templates/warp.h"

const ck_kernels CONCATENATE(ck_kernels, ISA) = {
    .relu = NAME(relu),
    .value_range = NAME(value_range),
    .parallax_line = NAME(parallax_line),
    .line_maximum = NAME(line_maximum),
    .widen_line = NAME(widen_line),
    .eye_line = NAME(eye_line),
    .warp_line = NAME(warp_line),
    .mirror_source = NAME(mirror_source),
    .hole_line = NAME(hole_line),
    .sample_line = NAME(sample_line),
};
