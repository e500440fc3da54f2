#include "CDepthSIMD.h"

extern const ck_kernels ck_kernels_baseline;
#if defined(__x86_64__)
extern const ck_kernels ck_kernels_avx2, ck_kernels_avx512;
#endif

const ck_kernels *ck_kernels_for(ck_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_avx2:
      return &ck_kernels_avx2;
    case ck_avx512:
      return &ck_kernels_avx512;
#else
    case ck_avx2:
    case ck_avx512:
#endif
    case ck_baseline:
      return &ck_kernels_baseline;
  }
}
