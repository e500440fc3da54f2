#include "CDepthSIMDModels.h"

extern const ck_int8_kernels ck_int8_kernels_amx_model;

const ck_int8_kernels *ck_int8_kernels_by_amx_model(void) { return &ck_int8_kernels_amx_model; }

#if defined(__x86_64__)
extern const ck_int8_kernels ck_int8_kernels_amx_model_avx512;
const ck_int8_kernels *ck_int8_kernels_by_amx_model_avx512(void) {
  return &ck_int8_kernels_amx_model_avx512;
}
#else
const ck_int8_kernels *ck_int8_kernels_by_amx_model_avx512(void) { return NULL; }
#endif
