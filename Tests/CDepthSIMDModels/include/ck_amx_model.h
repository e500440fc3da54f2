#ifndef CK_AMX_MODEL_H
#define CK_AMX_MODEL_H
#include <stddef.h>
#include <stdint.h>

/// A plain C model of the Intel AMX tile registers: palette 1, eight tiles of up to 16 rows × 64
/// bytes. Tests run tile kernels on any processor, also under sanitizers.
///
/// Each function is one instruction. A processor may raise #UD or #GP, or loop over a tile without
/// shape. The model keeps the broken rule instead, and ignores later instructions.
///
/// > Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, LDTILECFG, TILELOADD, TILESTORED,
/// > TILEZERO, TILERELEASE and TDPBUSD.
typedef struct ck_amx_model ck_amx_model;

/// A model in its initial state, in which no tile has a shape. NULL if memory is exhausted.
ck_amx_model *_Nullable ck_amx_model_create(void);
void ck_amx_model_free(ck_amx_model *_Nullable m);

/// The first rule that was broken; NULL if none was.
const char *_Nullable ck_amx_model_fault(const ck_amx_model *_Nonnull m);

/// LDTILECFG: sets the shapes from 64 bytes and all tiles to 0.
void ck_amx_model_configure(ck_amx_model *_Nonnull m, const void *_Nonnull bytes);
/// TILERELEASE: restores the initial state.
void ck_amx_model_release(ck_amx_model *_Nonnull m);
/// TILEZERO: sets one tile to 0.
void ck_amx_model_zero(ck_amx_model *_Nonnull m, int tile);
/// TILELOADD: reads each row from base + row · stride. Bytes beyond the tile's shape become 0.
void ck_amx_model_load(ck_amx_model *_Nonnull m, int tile, const void *_Nonnull base,
                       size_t stride);
/// TILESTORED: writes each row to base + row · stride.
void ck_amx_model_store(ck_amx_model *_Nonnull m, int tile, void *_Nonnull base, size_t stride);
/// TDPBUSD: c[m][n] += Σ a[m][4k + i] · b[k][4n + i] over k and i = 0…3. Bytes of a are unsigned,
/// bytes of b signed; the 32-bit sums wrap.
void ck_amx_model_dot(ck_amx_model *_Nonnull m, int c, int a, int b);
#endif
