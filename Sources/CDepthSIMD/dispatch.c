#include "CDepthSIMD.h"

extern const ck_kernels ck_kernels_baseline;
#if defined(__x86_64__)
extern const ck_kernels ck_kernels_avx2, ck_kernels_avx512;
#endif

bool ck_is_supported(ck_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case ck_avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
    case ck_avx2:
    case ck_avx512:
      return false;
#endif
    case ck_baseline:
      return true;
  }
}

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
