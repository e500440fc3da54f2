#ifndef CDEPTHSIMD_H
#define CDEPTHSIMD_H
#include "ck_effects.h"
#include "ck_int8.h"
#include "ck_metrics.h"
#include "ck_network.h"
#include "ck_pictures.h"
#include "ck_planes.h"
#include "ck_png.h"
#include "ck_refinement.h"
#include "ck_views.h"

/// Instruction sets, slowest first per architecture: the common baseline, two sets of x86-64, and one set of
/// arm64.
typedef enum { ck_baseline = 0, ck_avx2 = 1, ck_avx512 = 2, ck_neon = 3 } ck_isa;

/// One implementation of every kernel, one table per subject.
typedef struct {
  ck_network_kernels network;
  ck_pictures_kernels pictures;
  ck_refinement_kernels refinement;
  ck_views_kernels views;
  ck_effects_kernels effects;
  ck_metrics_kernels metrics;
  ck_png_kernels png;
  ck_planes_kernels planes;
} ck_kernels;

/// Returns whether this processor has instructions for SHA-256.
bool ck_has_sha256(void);
/// Updates a SHA-256 state with `count` blocks of 64 bytes, in plain C or, if `fast`, with SHA-256
/// instructions.
void ck_sha256_blocks(uint32_t state[_Nonnull 8], const uint8_t *_Nonnull bytes, size_t count,
                      bool fast);

/// Returns whether this processor (and operating system) can run `isa`.
bool ck_is_supported(ck_isa isa);
/// The kernels of one instruction set, which must be supported.
const ck_kernels *_Nonnull ck_kernels_for(ck_isa isa);
#endif
