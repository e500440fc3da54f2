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
#include "templates/resample.h"

const ck_kernels CONCATENATE(ck_kernels, ISA) = {
    .relu = NAME(relu),
    .resample_rgb = NAME(resample_rgb),
    .resample_rows = NAME(resample_rows),
};
