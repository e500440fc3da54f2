#ifndef CK_AMX_MODEL_H
#define CK_AMX_MODEL_H
#include <stddef.h>
#include <stdint.h>

/// The tile registers of Intel AMX (palette 1: eight tiles of up to 16 rows × 64 bytes) in plain C, so that tests run a
/// kernel of tiles on any processor, under sanitizers too.
///
/// Functions are instructions. Where the processor raises #UD or #GP, or loops over the bytes of a tile that has no shape,
/// the model keeps the broken rule, and all later instructions do nothing.
///
/// > Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, LDTILECFG, TILELOADD, TILESTORED,
/// > TILEZERO, TILERELEASE and TDPBUSD.
typedef struct ck_amx_model ck_amx_model;

/// A model in its initial state: no tile has a shape. NULL without memory.
ck_amx_model *_Nullable ck_amx_model_create(void);
void ck_amx_model_free(ck_amx_model *_Nullable m);

/// The first rule that was broken; NULL if none was.
const char *_Nullable ck_amx_model_fault(const ck_amx_model *_Nonnull m);

/// LDTILECFG: shapes from 64 bytes; all tiles become 0.
void ck_amx_model_configure(ck_amx_model *_Nonnull m, const void *_Nonnull bytes);
/// TILERELEASE: the initial state.
void ck_amx_model_release(ck_amx_model *_Nonnull m);
/// TILEZERO.
void ck_amx_model_zero(ck_amx_model *_Nonnull m, int tile);
/// TILELOADD: each row is read from base + row · stride; the bytes of the tile beyond its shape become 0.
void ck_amx_model_load(ck_amx_model *_Nonnull m, int tile, const void *_Nonnull base,
                       size_t stride);
/// TILESTORED: each row is written to base + row · stride.
void ck_amx_model_store(ck_amx_model *_Nonnull m, int tile, void *_Nonnull base, size_t stride);
/// TDPBUSD: c[m][n] += Σ a[m][4k + i] · b[k][4n + i] over k and i = 0…3, unsigned bytes of a by signed bytes of b, in
/// 32-bit integers that wrap.
void ck_amx_model_dot(ck_amx_model *_Nonnull m, int c, int a, int b);
#endif
