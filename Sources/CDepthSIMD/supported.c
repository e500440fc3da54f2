#include "CDepthSIMD.h"

bool ck_is_supported(ck_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case ck_avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    case ck_neon:
      return true;
#endif
    case ck_baseline:
      return true;
    default:  // the sets of other architectures
      return false;
  }
}
