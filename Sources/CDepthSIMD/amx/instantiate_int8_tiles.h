// Compiles the 8-bit convolution by tiles. Kernels that instantiate_int8.h has compiled for ISA compute everything else.
// First define TILES, the name of the set, and include amx_tiles.h or a model of these operations.
#include "tile_results.h"
#include "tile_convolution.h"

const ck_int8_kernels CONCATENATE(ck_int8_kernels, TILES) = {
    .panel_width = 32,
    .convolution = NAME(tile_convolution),
    .depthwise = NAME(int8_depthwise),
    .max_pool = NAME(int8_max_pool),
    .quantize = NAME(quantize),
    .quantize_tokens = NAME(quantize_tokens),
    .largest = NAME(largest_magnitude),
    .quantize_keys = NAME(quantize_keys),
};
