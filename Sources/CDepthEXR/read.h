// One channel of a part, as floats. Sizes were checked by the caller, who has read the header.
#ifndef CEXR_READ_H
#define CEXR_READ_H
#include <OpenEXR/openexr.h>
#include <stdint.h>
#include <string.h>

/// What to read of a file in memory.
typedef struct {
  const uint8_t *bytes;
  uint64_t count;
  int part;
  const char *channel;
  /// Sides of the part's data window.
  int32_t width, height;
} cexr_request;

static inline int64_t cexr_read_bytes(exr_const_context_t context, void *request, void *buffer, uint64_t size,
                                      uint64_t offset, exr_stream_error_func_ptr_t report) {
  (void)context, (void)report;
  const cexr_request *file = (const cexr_request *)request;
  if (offset >= file->count) return 0;
  const uint64_t count = size < file->count - offset ? size : file->count - offset;
  memcpy(buffer, file->bytes + offset, count);
  return (int64_t)count;
}

static inline int64_t cexr_byte_count(exr_const_context_t context, void *request) {
  (void)context;
  return (int64_t)((const cexr_request *)request)->count;
}

static inline void cexr_ignore_message(exr_const_context_t context, exr_result_t code, const char *message) {
  (void)context, (void)code, (void)message;
}

static inline uint32_t cexr_little(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  for (int k = 0; k < count; k++) value |= (uint32_t)bytes[k] << 8 * k;
  return value;
}

/// A stored sample as a float.
static inline float cexr_sample(const uint8_t *bytes, uint16_t type) {
  if (type == EXR_PIXEL_UINT) return (float)cexr_little(bytes, 4);
  uint32_t bits = cexr_little(bytes, type == EXR_PIXEL_HALF ? 2 : 4);
  float value;
  if (type == EXR_PIXEL_HALF) {
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023, sign = (bits & 0x8000) << 16;
    if (exponent == 0) {
      value = (float)fraction * 0x1p-24f;
      return sign ? -value : value;
    }
    bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// Where the values of a chunk go.
typedef struct {
  const cexr_request *request;
  float *values;
} cexr_target;

/// Takes the wanted channel out of a decompressed chunk: row after row, and in each row channel after channel.
///
/// The library's own functions for this cannot leave channels out: those of version 3.1.5 for four channels of
/// halves write to where the others would go.
static inline exr_result_t cexr_take_channel(exr_decode_pipeline_t *pipeline) {
  const cexr_target *target = (const cexr_target *)pipeline->decoding_user_data;
  const exr_chunk_info_t *chunk = &pipeline->chunk;
  const uint8_t *bytes = (const uint8_t *)pipeline->unpacked_buffer;
  if (!bytes && chunk->packed_size == chunk->unpacked_size) bytes = (const uint8_t *)pipeline->packed_buffer;
  if (!bytes) return EXR_ERR_CORRUPT_CHUNK;
  uint64_t at = 0;
  for (int32_t row = 0; row < chunk->height; row++) {
    for (int index = 0; index < pipeline->channel_count; index++) {
      const exr_coding_channel_info_t *channel = &pipeline->channels[index];
      if (channel->y_samples > 1 && (chunk->start_y + row) % channel->y_samples != 0) continue;
      const uint64_t size = (uint64_t)channel->width * (uint64_t)channel->bytes_per_element;
      if (channel->width < 0 || size > chunk->unpacked_size - at) return EXR_ERR_CORRUPT_CHUNK;
      if (strcmp(channel->channel_name, target->request->channel) == 0) {
        if (channel->width != chunk->width) return EXR_ERR_CORRUPT_CHUNK;
        float *values = target->values + (int64_t)row * target->request->width;
        for (int32_t x = 0; x < channel->width; x++)
          values[x] = cexr_sample(bytes + at + x * channel->bytes_per_element, channel->data_type);
      }
      at += size;
    }
  }
  return EXR_ERR_SUCCESS;
}

/// Decodes a chunk whose first pixel is at (x, y) of the window.
static inline exr_result_t cexr_read_chunk(exr_const_context_t context, const cexr_request *request,
                                           const exr_chunk_info_t *chunk, int64_t x, int64_t y, float *values) {
  if (chunk->width < 0 || chunk->height < 0 || x + chunk->width > request->width ||
      y + chunk->height > request->height)
    return EXR_ERR_BAD_CHUNK_LEADER;
  cexr_target target = {request, values + y * request->width + x};
  exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
  exr_result_t result = exr_decoding_initialize(context, request->part, chunk, &pipeline);
  if (result == EXR_ERR_SUCCESS) result = exr_decoding_choose_default_routines(context, request->part, &pipeline);
  pipeline.decoding_user_data = &target;
  pipeline.unpack_and_convert_fn = cexr_take_channel;
  if (result == EXR_ERR_SUCCESS) result = exr_decoding_run(context, request->part, &pipeline);
  exr_decoding_destroy(context, &pipeline);
  return result;
}

static inline exr_result_t cexr_read_rows(exr_const_context_t context, const cexr_request *request, int32_t top,
                                          float *values) {
  int32_t step = 0;
  exr_result_t result = exr_get_scanlines_per_chunk(context, request->part, &step);
  if (result == EXR_ERR_SUCCESS && step < 1) result = EXR_ERR_FILE_BAD_HEADER;
  for (int64_t y = 0; y < request->height && result == EXR_ERR_SUCCESS; y += step) {
    exr_chunk_info_t chunk;
    result = exr_read_scanline_chunk_info(context, request->part, (int)(top + y), &chunk);
    if (result == EXR_ERR_SUCCESS) result = cexr_read_chunk(context, request, &chunk, 0, y, values);
  }
  return result;
}

/// The tiles of the largest level.
static inline exr_result_t cexr_read_tiles(exr_const_context_t context, const cexr_request *request, float *values) {
  int32_t width = 0, height = 0;
  exr_result_t result = exr_get_tile_sizes(context, request->part, 0, 0, &width, &height);
  if (result == EXR_ERR_SUCCESS && (width < 1 || height < 1)) result = EXR_ERR_FILE_BAD_HEADER;
  for (int64_t y = 0; y < request->height && result == EXR_ERR_SUCCESS; y += height) {
    for (int64_t x = 0; x < request->width && result == EXR_ERR_SUCCESS; x += width) {
      exr_chunk_info_t chunk;
      result = exr_read_tile_chunk_info(context, request->part, (int)(x / width), (int)(y / height), 0, 0, &chunk);
      if (result == EXR_ERR_SUCCESS) result = cexr_read_chunk(context, request, &chunk, x, y, values);
    }
  }
  return result;
}

/// Reads `height * width` values. A file without one of its chunks is an error.
static inline exr_result_t cexr_read(const cexr_request *request, float *values) {
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.error_handler_fn = cexr_ignore_message;
  settings.user_data = (void *)request;
  settings.read_fn = cexr_read_bytes;
  settings.size_fn = cexr_byte_count;
  settings.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  exr_context_t context = NULL;
  exr_result_t result = exr_start_read(&context, "depth", &settings);
  if (result != EXR_ERR_SUCCESS) return result;
  exr_attr_box2i_t window;
  exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
  result = exr_get_data_window(context, request->part, &window);
  if (result == EXR_ERR_SUCCESS) result = exr_get_storage(context, request->part, &storage);
  if (result == EXR_ERR_SUCCESS) {
    const int64_t width = (int64_t)window.max.x - window.min.x + 1, height = (int64_t)window.max.y - window.min.y + 1;
    if (width != request->width || height != request->height) result = EXR_ERR_FILE_BAD_HEADER;
    else if (storage == EXR_STORAGE_SCANLINE) result = cexr_read_rows(context, request, window.min.y, values);
    else if (storage == EXR_STORAGE_TILED) result = cexr_read_tiles(context, request, values);
    else result = EXR_ERR_FEATURE_NOT_IMPLEMENTED;
  }
  exr_finish(&context);
  return result;
}
#endif
