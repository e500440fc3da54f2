// Compiles every template for one instruction set. Define ISA, LANES and, where the set has fused
// multiply-add, HAS_FMA first.
#include "CKernels.h"

#define CONCATENATE_(a, b) a##_##b
#define CONCATENATE(a, b) CONCATENATE_(a, b)
#define NAME(kernel) CONCATENATE(kernel, ISA)

/// LANES floats; loads and stores need no alignment.
typedef float V __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

/// LANES integers, for the bits of V.
typedef int32_t VI __attribute__((vector_size(LANES * sizeof(int32_t)), aligned(4)));

// Elementwise kernels agree to the bit on all instruction sets; products use FMA explicitly.
#pragma STDC FP_CONTRACT OFF

#include "templates/relu.h"
#include "templates/exp2.h"
#include "templates/quotient.h"
#include "templates/joint_bilateral.h"
#include "templates/joint_upsample.h"
#include "templates/photo_rows.h"
#include "templates/weighted_sum.h"

const ck_kernels CONCATENATE(ck_kernels, ISA) = {
    .relu = NAME(relu),
    .joint_bilateral = NAME(joint_bilateral),
    .joint_upsample = NAME(joint_upsample),
    .planar = NAME(planar),
    .accumulate_bytes = NAME(accumulate_bytes),
    .weighted_sum = NAME(weighted_sum),
};
