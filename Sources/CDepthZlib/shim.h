#include <zlib.h>

// A macro that Swift does not import. Raw deflate (no zlib header), window of 32 KiB.
static inline int czlib_deflate_init_raw(z_stream *stream, int level, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, strategy);
}
