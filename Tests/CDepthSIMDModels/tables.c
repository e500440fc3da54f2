#include "CDepthSIMDModels.h"

extern const ck_int8_kernels ck_int8_kernels_amx_model;
extern const ck_bfloat16_kernels ck_bfloat16_kernels_model, ck_bfloat16_kernels_amx_model;

const ck_int8_kernels *ck_int8_kernels_by_amx_model(void) { return &ck_int8_kernels_amx_model; }

#if defined(__x86_64__)
extern const ck_int8_kernels ck_int8_kernels_amx_model_avx512;
const ck_int8_kernels *ck_int8_kernels_by_amx_model_avx512(void) {
  return &ck_int8_kernels_amx_model_avx512;
}
#else
const ck_int8_kernels *ck_int8_kernels_by_amx_model_avx512(void) { return NULL; }
#endif

const ck_bfloat16_kernels *ck_bfloat16_kernels_by_model(void) {
  return &ck_bfloat16_kernels_model;
}
const ck_bfloat16_kernels *ck_bfloat16_kernels_by_amx_model(void) {
  return &ck_bfloat16_kernels_amx_model;
}
