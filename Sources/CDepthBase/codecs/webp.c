#include "codecs.h"

#include <dlfcn.h>
#include <pthread.h>

// As declared in all versions of webp/decode.h: input bytes and count; output, its size and the bytes per row. Returns NULL on
// failure.
typedef uint8_t *decoder(const uint8_t *, size_t, uint8_t *, size_t, int);

#ifdef __linux__
// The functions are defined only if libwebp is linked into the program.
extern decoder WebPDecodeRGBInto __attribute__((weak)), WebPDecodeRGBAInto __attribute__((weak));
static decoder *rgb = WebPDecodeRGBInto, *rgba = WebPDecodeRGBAInto;
#else
static decoder *rgb, *rgba;
#endif

static void load(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    "libwebp.7.dylib", "/opt/homebrew/lib/libwebp.7.dylib", "/usr/local/lib/libwebp.7.dylib",
#else
    "libwebp.so.7", "libwebp.so",
#endif
    NULL};
  if (rgb && rgba) return;
  void *library = cdc_open(names);
  if (!library) return;
  rgb = (decoder *)dlsym(library, "WebPDecodeRGBInto");
  rgba = (decoder *)dlsym(library, "WebPDecodeRGBAInto");
}

bool cdc_load_webp(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return rgb && rgba;
}

void cdc_decode_webp(const cdc_request *request) {
  cdc_result *result = request->result;
  const uint64_t channels = request->has_alpha ? 4 : 3;
  const uint64_t area = (uint64_t)request->width * (uint64_t)request->height;
  uint8_t *room = cdc_room(result, area * channels, &result->pixels);
  if (!room) return;
  if (!(request->has_alpha ? rgba : rgb)(request->bytes, request->count, room, area * channels,
                                         request->width * (int)channels)) {
    result->status = CDC_REFUSED;
    return;
  }
  if (request->has_alpha) cdc_flatten(room, area, false);
  result->pixels.count = area * 3;
  result->width = request->width;
  result->height = request->height;
  result->status = CDC_DECODED;
}
