// The tile operations of amx/tile_convolution.h on the tile model. A broken rule ends the process.
#include "amx_model.h"

#define TILE_STATE ck_amx_model
#define TILE_START(tiles) ck_amx_model_start(tiles)
#define TILE_CONFIGURE(tiles, bytes) ck_amx_model_configure(tiles, bytes)
#define TILE_ZERO(tiles, t) ck_amx_model_zero(tiles, t)
#define TILE_LOAD(tiles, t, base, stride) ck_amx_model_load(tiles, t, base, stride)
#define TILE_STORE(tiles, t, base, stride) ck_amx_model_store(tiles, t, base, stride)
#define TILE_DOT(tiles, c, a, b) ck_amx_model_dot(tiles, c, a, b)
#define TILE_RELEASE(tiles) ck_amx_model_release(tiles)
#define TILE_FINISH(tiles) ck_amx_model_finish(tiles)
