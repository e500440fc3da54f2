// A file of one channel of floats in memory.
#ifndef CEXR_WRITE_H
#define CEXR_WRITE_H
#include <OpenEXR/openexr.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A file that grows while it is written; its bytes are freed with `free`.
typedef struct {
  uint8_t *bytes;
  uint64_t count, capacity;
} cexr_file;

/// A picture of one channel.
typedef struct {
  const char *channel;
  int32_t width, height;
  const float *values;
  exr_compression_t compression;
  int level;
} cexr_picture;

static inline int64_t cexr_write_bytes(exr_const_context_t context, void *target, const void *buffer, uint64_t size,
                                       uint64_t offset, exr_stream_error_func_ptr_t report) {
  (void)context, (void)report;
  cexr_file *file = (cexr_file *)target;
  const uint64_t end = offset + size;
  if (end > file->capacity) {
    const uint64_t capacity = end + end / 2;
    uint8_t *bytes = (uint8_t *)realloc(file->bytes, capacity);
    if (!bytes) return -1;
    file->bytes = bytes;
    file->capacity = capacity;
  }
  if (offset > file->count) memset(file->bytes + file->count, 0, offset - file->count);
  memcpy(file->bytes + offset, buffer, size);
  if (end > file->count) file->count = end;
  return (int64_t)size;
}

static inline void cexr_ignore_writing_message(exr_const_context_t context, exr_result_t code, const char *message) {
  (void)context, (void)code, (void)message;
}

static inline exr_result_t cexr_write_rows(exr_context_t context, const cexr_picture *picture) {
  int32_t step = 0;
  exr_result_t result = exr_get_scanlines_per_chunk(context, 0, &step);
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  for (int64_t y = 0; y < picture->height && result == EXR_ERR_SUCCESS; y += step) {
    exr_chunk_info_t chunk;
    result = exr_write_scanline_chunk_info(context, 0, (int)y, &chunk);
    if (result != EXR_ERR_SUCCESS) break;
    result = y == 0 ? exr_encoding_initialize(context, 0, &chunk, &pipeline)
                    : exr_encoding_update(context, 0, &chunk, &pipeline);
    if (result != EXR_ERR_SUCCESS) break;
    exr_coding_channel_info_t *channel = &pipeline.channels[0];
    channel->user_bytes_per_element = sizeof *picture->values;
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof *picture->values;
    channel->user_line_stride = picture->width * (int32_t)sizeof *picture->values;
    channel->encode_from_ptr = (const uint8_t *)(picture->values + y * picture->width);
    if (y == 0) result = exr_encoding_choose_default_routines(context, 0, &pipeline);
    if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(context, 0, &pipeline);
  }
  exr_encoding_destroy(context, &pipeline);
  return result;
}

/// A file being written, between `cexr_start` and `cexr_finish`.
static inline exr_result_t cexr_start(const cexr_picture *picture, cexr_file *file, exr_context_t *context) {
  exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
  settings.error_handler_fn = cexr_ignore_writing_message;
  settings.user_data = file;
  settings.write_fn = cexr_write_bytes;
  settings.zip_level = picture->level;
  exr_result_t result = exr_start_write(context, "depth", EXR_WRITE_FILE_DIRECTLY, &settings);
  if (result != EXR_ERR_SUCCESS) return result;
  int part = 0;
  result = exr_add_part(*context, "depth", EXR_STORAGE_SCANLINE, &part);
  if (result == EXR_ERR_SUCCESS)
    result = exr_initialize_required_attr_simple(*context, part, picture->width, picture->height,
                                                 picture->compression);
  if (result == EXR_ERR_SUCCESS)
    result = exr_add_channel(*context, part, picture->channel, EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
  return result;
}

/// Closes a file that cannot be finished.
static inline void cexr_abandon(exr_context_t *context) { exr_finish(context); }

/// Writes the header and all rows, and closes the file.
static inline exr_result_t cexr_finish(const cexr_picture *picture, exr_context_t *context) {
  exr_result_t result = exr_write_header(*context);
  if (result == EXR_ERR_SUCCESS) result = cexr_write_rows(*context, picture);
  const exr_result_t closed = exr_finish(context);
  return result != EXR_ERR_SUCCESS ? result : closed;
}
#endif
