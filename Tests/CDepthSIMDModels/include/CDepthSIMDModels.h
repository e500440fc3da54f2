#ifndef CDEPTHSIMDMODELS_H
#define CDEPTHSIMDMODELS_H
#include "CDepthSIMD.h"
#include "ck_amx_model.h"

/// Kernels on plain C models of instructions. Tests run these kernels on every processor.

/// The convolution by AMX-INT8 tiles, on the tile model with 128-bit vectors.
const ck_int8_kernels *_Nonnull ck_int8_kernels_by_amx_model(void);
/// The convolution by AMX-INT8 tiles, on the tile model with AVX-512 VNNI; NULL except on x86-64.
const ck_int8_kernels *_Nullable ck_int8_kernels_by_amx_model_avx512(void);
#endif
