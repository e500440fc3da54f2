#include "CDepthSIMD.h"

#include "amx_permission.h"
#include "arm_features.h"

#if defined(__x86_64__)
extern const ck_bfloat16_kernels ck_bfloat16_kernels_avx512, ck_bfloat16_kernels_amx;
#elif defined(__aarch64__)
extern const ck_bfloat16_kernels ck_bfloat16_kernels_neon;
#endif

bool ck_bfloat16_is_supported(ck_bfloat16_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_bfloat16_avx512:
      return ck_is_supported(ck_avx512) && __builtin_cpu_supports("avx512bf16");
    case ck_bfloat16_amx:
      return ck_bfloat16_is_supported(ck_bfloat16_avx512) && ck_has_amx_bf16();
#elif defined(__aarch64__)
    case ck_bfloat16_neon:
      return ck_arm_features() & ck_arm_bf16;
#endif
    default:  // the sets of other architectures
      return false;
  }
}

const ck_bfloat16_kernels *ck_bfloat16_kernels_for(ck_bfloat16_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_bfloat16_avx512:
      return &ck_bfloat16_kernels_avx512;
    case ck_bfloat16_amx:
      return &ck_bfloat16_kernels_amx;
#elif defined(__aarch64__)
    case ck_bfloat16_neon:
      return &ck_bfloat16_kernels_neon;
#endif
    default:  // the sets of other architectures
      return NULL;
  }
}
