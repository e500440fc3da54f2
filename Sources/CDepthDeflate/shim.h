#include <libdeflate.h>
#include <stdbool.h>

// Decompresses a zlib or raw deflate stream to `count` bytes. Returns false if the stream is damaged or has more than
// `capacity` bytes. A decompressor takes some kilobytes and serves one thread, so each call creates one.
static inline bool cdeflate_inflate(bool is_raw, const void *_Nullable stream, size_t size, void *_Nullable bytes,
                                    size_t capacity, size_t *_Nonnull count) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  if (!decompressor) return false;
  const bool is_whole =
      (is_raw ? libdeflate_deflate_decompress(decompressor, stream, size, bytes, capacity, count)
              : libdeflate_zlib_decompress(decompressor, stream, size, bytes, capacity, count)) == LIBDEFLATE_SUCCESS;
  libdeflate_free_decompressor(decompressor);
  return is_whole;
}
