#include "heif.h"

#include "codecs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

heif_functions cdc_heif;
bool cdc_heif_encodes;
#define heif cdc_heif
#define is_fine cdc_heif_is_fine
static bool is_loaded;

static void load(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    "libheif.1.dylib", "/opt/homebrew/lib/libheif.1.dylib", "/usr/local/lib/libheif.1.dylib",
#else
    "libheif.so.1", "libheif.so",
#endif
    NULL};
  void *library = cdc_open(names);
  if (!library) return;
  is_loaded = true;
#define FUNCTION(type, name, parameters) *(void **)&heif.name = dlsym(library, "heif_" #name);
#define REQUIRED(type, name, parameters) FUNCTION(type, name, parameters) if (!heif.name) is_loaded = false;
  HEIF_FUNCTIONS(REQUIRED)
  HEIF_LATER_FUNCTIONS(FUNCTION)
  cdc_heif_encodes = is_loaded;
#define FOR_ENCODING(type, name, parameters) FUNCTION(type, name, parameters) if (!heif.name) cdc_heif_encodes = false;
  HEIF_ENCODER_FUNCTIONS(FOR_ENCODING)
  // Loads plugins once for all children.
  if (is_loaded && heif.init) heif.init(NULL);
}

bool cdc_load_heif(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

const char *cdc_heif_version(void) { return heif.get_version(); }

bool cdc_heif_is_fine(const cdc_request *request, heif_error error) {
  cdc_result *result = request->result;
  if (!error.code) return true;
  result->error = error.code;
  result->status = heif.have_decoder_for_format(request->compression) ? CDC_REFUSED : CDC_NO_DECODER;
  if (error.message) strncpy(result->message, error.message, sizeof result->message - 1);
  return false;
}

/// Maximum bytes of a copied block.
#define LONGEST_BLOCK ((size_t)16 << 20)

/// Allocates a block; NULL if it is too long.
static uint8_t *block_room(cdc_result *result, size_t count, cdc_block *block) {
  return count > LONGEST_BLOCK ? NULL : cdc_room(result, count, block);
}

/// Copies the first metadata block of this type. The result stays empty if the block is missing or unreadable.
static void copy_metadata(const heif_image_handle *handle, const char *type, cdc_result *result, cdc_block *block) {
  heif_item_id id;
  if (heif.image_handle_get_list_of_metadata_block_IDs(handle, type, &id, 1) < 1) return;
  uint8_t *room = block_room(result, heif.image_handle_get_metadata_size(handle, id), block);
  if (room && heif.image_handle_get_metadata(handle, id, room).code) *block = (cdc_block){0, 0};
}

static void copy_profile(const heif_image_handle *handle, cdc_result *result) {
  uint8_t *room = block_room(result, heif.image_handle_get_raw_color_profile_size(handle), &result->profile);
  if (room && heif.image_handle_get_raw_color_profile(handle, room).code) result->profile = (cdc_block){0, 0};
}

/// Decodes a picture to rows of RGB or RGBA, and checks its size.
static const uint8_t *decoded(const cdc_request *request, const heif_image_handle *handle, bool has_alpha,
                              int width, int height, size_t *stride) {
  heif_image *image = NULL;
  const int32_t chroma = has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  if (!is_fine(request, heif.decode_image(handle, &image, heif_colorspace_RGB, chroma, NULL))) return NULL;
  int row = 0;
  const uint8_t *rows = image ? heif.image_get_plane_readonly(image, heif_channel_interleaved, &row) : NULL;
  if (!rows || heif.image_get_width(image, heif_channel_interleaved) != width ||
      heif.image_get_height(image, heif_channel_interleaved) != height || row < width * (has_alpha ? 4 : 3)) {
    request->result->status = CDC_OTHER_SIZE;
    return NULL;
  }
  *stride = (size_t)row;
  return rows;
}

static void decode_photo(const cdc_request *request, const heif_image_handle *handle) {
  cdc_result *result = request->result;
  if (request->samples != CDC_RGB) {
    if (!cdc_decode_heif_samples(request, handle)) return;
    copy_metadata(handle, "Exif", result, &result->exif);
    copy_profile(handle, result);
    result->status = CDC_DECODED;
    return;
  }
  const size_t width = (size_t)request->width, height = (size_t)request->height;
  const bool has_alpha = heif.image_handle_has_alpha_channel(handle);
  const bool is_premultiplied = has_alpha && heif.image_handle_is_premultiplied_alpha(handle);
  size_t stride;
  const uint8_t *rows = decoded(request, handle, has_alpha, request->width, request->height, &stride);
  uint8_t *room = rows ? cdc_room(result, width * height * 3, &result->pixels) : NULL;
  if (!room) return;
  for (size_t y = 0; y < height; y++) {
    uint8_t *row = (uint8_t *)rows + y * stride;  // The row belongs to this process and is not needed again.
    if (has_alpha) cdc_flatten(row, width, is_premultiplied);
    memcpy(room + y * width * 3, row, width * 3);
  }
  copy_metadata(handle, "Exif", result, &result->exif);
  copy_profile(handle, result);
  result->width = request->width;
  result->height = request->height;
  result->status = CDC_DECODED;
}

static void decode_depth(const cdc_request *request, const heif_image_handle *photo) {
  cdc_result *result = request->result;
  heif_item_id id;
  heif_image_handle *handle = NULL;
  if (heif.image_handle_get_list_of_depth_image_IDs(photo, &id, 1) < 1) {
    result->status = CDC_NO_DEPTH;
    return;
  }
  if (!is_fine(request, heif.image_handle_get_depth_image_handle(photo, id, &handle))) return;
  const int width = heif.image_handle_get_width(handle), height = heif.image_handle_get_height(handle);
  if (width < 1 || height < 1 || (int64_t)width * height > request->depth_pixels) {
    result->status = CDC_OTHER_SIZE;
    return;
  }
  if (!cdc_copy_luma(request, handle, width, height)) {
    // Gray pictures may also be stored with color planes.
    size_t stride;
    const uint8_t *rows = decoded(request, handle, false, width, height, &stride);
    uint8_t *room = rows ? cdc_room(result, (uint64_t)width * (uint64_t)height, &result->pixels) : NULL;
    if (!room) return;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) *room++ = rows[(size_t)y * stride + 3 * (size_t)x];
    }
  }
  copy_metadata(handle, "mime", result, &result->packet);
  const heif_depth_representation_info *info = NULL;
  result->representation = -1;
  if (heif.image_handle_get_depth_image_representation_info(photo, id, &info) && info && info->has_z_near &&
      info->has_z_far) {
    result->representation = info->representation;
    result->z_near = info->z_near;
    result->z_far = info->z_far;
  }
  result->width = width;
  result->height = height;
  result->status = CDC_DECODED;
}

void cdc_decode_heif(const cdc_request *request) {
  heif_context *context = heif.context_alloc();
  heif_image_handle *handle = NULL;
  if (!context) return;
  if (heif.context_get_security_limits) {
    heif_security_limits *limits = heif.context_get_security_limits(context);
    // Allows for tiles that extend beyond the picture, and for 16-bit samples.
    const uint64_t shown = (uint64_t)request->width * (uint64_t)request->height;
    const uint64_t stored = (uint64_t)request->stored_width * (uint64_t)request->stored_height;
    const uint64_t pixels = (shown > stored ? shown : stored) + (1u << 24);
    if (limits->max_image_size_pixels > pixels) limits->max_image_size_pixels = pixels;
    if (limits->max_memory_block_size > pixels * 8) limits->max_memory_block_size = pixels * 8;
  }
  if (!is_fine(request, heif.context_read_from_memory_without_copy(context, request->bytes, request->count, NULL)) ||
      !is_fine(request, heif.context_get_primary_image_handle(context, &handle))) return;
  // The size is checked before decoding. libheif 1.15 reports the size before all rotating and cropping boxes that precede
  // the size box.
  const int width = heif.image_handle_get_width(handle), height = heif.image_handle_get_height(handle);
  const bool is_stated = width == request->width && height == request->height;
  const bool is_stored = width == request->stored_width && height == request->stored_height;
  const bool is_turned = width == request->stored_height && height == request->stored_width;
  if (!is_stated && !is_stored && !is_turned) {
    request->result->status = CDC_OTHER_SIZE;
    return;
  }
  request->result->is_open = 1;
  if (request->task == CDC_HEIF_DEPTH) decode_depth(request, handle);
  else decode_photo(request, handle);
}
