#include "codecs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/resource.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void *cdc_open(const char *const *names) {
  void *library = NULL;
  for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return library;
}

uint8_t *cdc_room(cdc_result *result, uint64_t count, cdc_block *block) {
  if (!count || count > result->capacity - result->used) return NULL;
  *block = (cdc_block){result->used, count};
  result->used += count;
  return (uint8_t *)result + block->offset;
}

void cdc_flatten(uint8_t *pixels, size_t count, bool is_premultiplied) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *from = pixels + 4 * i;
    const unsigned opacity = from[3], paper = 255 - opacity;
    for (size_t channel = 0; channel < 3; channel++) {
      const unsigned light = is_premultiplied ? from[channel] : (from[channel] * opacity + 127) / 255;
      pixels[3 * i + channel] = light + paper > 255 ? 255 : (uint8_t)(light + paper);
    }
  }
}

/// Limits the decoder's threads to one heap, as in the program (`Sources/depth/main.c`), if a host's address space is limited.
/// Otherwise the GNU C library reserves 64 MB of addresses for each of several threads, and decoding fails for lack of
/// addresses.
static void share_heap_under_limit(void) {
#if defined(__GLIBC__)
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
}

static void decode(const void *context) {
  const cdc_request *request = (const cdc_request *)context;
  share_heap_under_limit();
  // Library and plugins are loaded. Without a system call filter, limits and closed descriptors still apply.
  cds_confine();
  if (request->task == CDC_WEBP) cdc_decode_webp(request);
  else cdc_decode_heif(request);
  request->result->is_done = 1;
}

bool cdc_start(const cdc_request *request, cds_limits limits, cds_child *started) {
  request->result->used = (sizeof *request->result + 63) & ~(uint64_t)63;
  return cds_start(limits, decode, request, started);
}
