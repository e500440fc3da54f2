#include "CDepthSIMD.h"

#include "amx_permission.h"

extern const ck_bfloat16_kernels ck_bfloat16_kernels_model, ck_bfloat16_kernels_amx_model;
#if defined(__x86_64__)
extern const ck_bfloat16_kernels ck_bfloat16_kernels_avx512, ck_bfloat16_kernels_amx;
#endif

bool ck_bfloat16_is_supported(ck_bfloat16_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_bfloat16_avx512:
      return ck_is_supported(ck_avx512) && __builtin_cpu_supports("avx512bf16");
    case ck_bfloat16_amx:
      return ck_bfloat16_is_supported(ck_bfloat16_avx512) && ck_has_amx_bf16();
#else
    case ck_bfloat16_avx512:
    case ck_bfloat16_amx:
      return false;
#endif
    case ck_bfloat16_model:
    case ck_bfloat16_amx_model:
      return true;
  }
}

const ck_bfloat16_kernels *ck_bfloat16_kernels_for(ck_bfloat16_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_bfloat16_avx512:
      return &ck_bfloat16_kernels_avx512;
    case ck_bfloat16_amx:
      return &ck_bfloat16_kernels_amx;
#else
    case ck_bfloat16_avx512:
    case ck_bfloat16_amx:
#endif
    case ck_bfloat16_model:
      return &ck_bfloat16_kernels_model;
    case ck_bfloat16_amx_model:
      return &ck_bfloat16_kernels_amx_model;
  }
}
