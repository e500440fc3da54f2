// The tile operations of templates/tiles/tile_convolution.h as instructions. `tiles` is unused, because the state
// is in the processor's registers. Tile numbers must be literals.
#include <immintrin.h>

#define TILE_STATE char
#define TILE_START(tiles) ((void)(tiles))
#define TILE_CONFIGURE(tiles, bytes) _tile_loadconfig(bytes)
#define TILE_ZERO(tiles, t) _tile_zero(t)
#define TILE_LOAD(tiles, t, base, stride) _tile_loadd(t, base, stride)
#define TILE_STORE(tiles, t, base, stride) _tile_stored(t, base, stride)
#define TILE_DOT(tiles, c, a, b) _tile_dpbusd(c, a, b)
#define TILE_RELEASE(tiles) _tile_release()
#define TILE_FINISH(tiles) ((void)(tiles))
