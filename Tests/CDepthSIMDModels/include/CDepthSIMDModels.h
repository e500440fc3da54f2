#ifndef CDEPTHSIMDMODELS_H
#define CDEPTHSIMDMODELS_H
#include "CDepthSIMD.h"
#include "ck_amx_model.h"

/// Kernels on models of instructions in plain C, so that tests run their source on every processor, under sanitizers too.

/// The convolution by tiles of AMX-INT8 on the model of the tiles, with vectors of 128 bits.
const ck_int8_kernels *_Nonnull ck_int8_kernels_by_amx_model(void);
/// The same with the vectors of AVX-512 VNNI, as on a processor that has AMX; NULL on other architectures.
const ck_int8_kernels *_Nullable ck_int8_kernels_by_amx_model_avx512(void);
#endif
