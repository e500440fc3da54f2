#include "CDepthSIMD.h"

#include "amx/amx_permission.h"
#include "arm_features.h"
#include "cpuid.h"

extern const ck_int8_kernels ck_int8_kernels_baseline;
#if defined(__x86_64__)
extern const ck_int8_kernels ck_int8_kernels_avx2, ck_int8_kernels_avxvnni,
    ck_int8_kernels_avx512vnni, ck_int8_kernels_amx;
#elif defined(__aarch64__)
extern const ck_int8_kernels ck_int8_kernels_neon, ck_int8_kernels_dotprod, ck_int8_kernels_i8mm;
#endif

bool ck_int8_is_supported(ck_int8_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_int8_avx2:
      return ck_is_supported(ck_avx2);
    case ck_int8_avxvnni:
      return ck_is_supported(ck_avx2) && (ck_cpuid(7, 1).a >> 4 & 1);
    case ck_int8_avx512vnni:
      return ck_is_supported(ck_avx512) && __builtin_cpu_supports("avx512vnni");
    case ck_int8_amx:
      return ck_int8_is_supported(ck_int8_avx512vnni) && ck_has_amx_int8();
#elif defined(__aarch64__)
    case ck_int8_neon:
      return true;
    case ck_int8_dotprod:
      return ck_arm_features() & ck_arm_dotprod;
    case ck_int8_i8mm:
      // The set also uses dot products, and hypervisors hide features individually.
      return ck_int8_is_supported(ck_int8_dotprod) && ck_arm_features() & ck_arm_i8mm;
#endif
    case ck_int8_baseline:
      return true;
    default:  // the sets of other architectures
      return false;
  }
}

const ck_int8_kernels *ck_int8_kernels_for(ck_int8_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case ck_int8_avx2:
      return &ck_int8_kernels_avx2;
    case ck_int8_avxvnni:
      return &ck_int8_kernels_avxvnni;
    case ck_int8_avx512vnni:
      return &ck_int8_kernels_avx512vnni;
    case ck_int8_amx:
      return &ck_int8_kernels_amx;
#elif defined(__aarch64__)
    case ck_int8_neon:
      return &ck_int8_kernels_neon;
    case ck_int8_dotprod:
      return &ck_int8_kernels_dotprod;
    case ck_int8_i8mm:
      return &ck_int8_kernels_i8mm;
#endif
    default:
      return &ck_int8_kernels_baseline;
  }
}
