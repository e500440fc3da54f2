#include <zlib.h>

// Replaces a macro that Swift does not import. The stream is raw deflate (no zlib header) with a window of 32 KiB.
static inline int czlib_deflate_init_raw(z_stream *stream, int level, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, strategy);
}
