// Compiles the convolution of 8-bit quantized values by tiles beside the kernels that instantiate_int8.h has compiled before for ISA, which also
// compute what tiles do not. Define TILES, the name of the set, and include amx_tiles.h, or a model of it, before.
#include "templates/tiles/tile_results.h"
#include "templates/tiles/tile_convolution.h"

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
