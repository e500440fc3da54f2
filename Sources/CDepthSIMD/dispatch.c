#include "CDepthSIMD.h"

extern const ck_kernels ck_kernels_baseline;
#if defined(__x86_64__)
extern const ck_kernels ck_kernels_avx2, ck_kernels_avx512;
#elif defined(__aarch64__)
extern const ck_kernels ck_kernels_neon;
#endif

const ck_kernels *ck_kernels_for(ck_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_avx2:
      return &ck_kernels_avx2;
    case ck_avx512:
      return &ck_kernels_avx512;
#elif defined(__aarch64__)
    case ck_neon:
      return &ck_kernels_neon;
#endif
    default:  // the baseline, and the sets of other architectures
      return &ck_kernels_baseline;
  }
}
