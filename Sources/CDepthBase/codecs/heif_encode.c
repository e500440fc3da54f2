#include "heif.h"

#include <stdlib.h>
#include <string.h>

#define heif cdc_heif

bool cdc_has_hevc_encoder(void) { return cdc_heif_encodes && heif.have_encoder_for_format(CDC_HEVC); }

static heif_error keep(heif_context *context, const void *bytes, size_t count, void *result) {
  cdc_encoded *file = result;
  file->bytes = malloc(count);
  if (!file->bytes) return (heif_error){.code = heif_error_Memory_allocation_error, .message = "out of memory"};
  memcpy(file->bytes, bytes, count);
  file->count = count;
  return (heif_error){.message = ""};
}

bool cdc_encode_heic(const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, cdc_encoded *result) {
  heif_context *context = heif.context_alloc();
  if (!context) {
    strncpy(result->message, "out of memory", sizeof result->message - 1);
    return false;
  }
  heif_encoder *encoder = NULL;
  heif_image *image = NULL;
  heif_error error = heif.context_get_encoder_for_format(context, CDC_HEVC, &encoder);
  if (!error.code) error = heif.encoder_set_lossy_quality(encoder, quality);
  // This preset takes a third of the default preset's time, and files are a tenth larger. Only x265 has this
  // parameter.
  if (!error.code) heif.encoder_set_parameter_string(encoder, "preset", "superfast");
  if (!error.code) error = heif.image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image);
  if (!error.code) error = heif.image_add_plane(image, heif_channel_interleaved, width, height, 8);
  if (!error.code) {
    int stride = 0;
    uint8_t *rows = heif.image_get_plane(image, heif_channel_interleaved, &stride);
    const size_t row = 3 * (size_t)width;
    for (size_t y = 0; y < (size_t)height; y++) memcpy(rows + y * (size_t)stride, pixels + y * row, row);
    error = heif.context_encode_image(context, image, encoder, NULL, NULL);
  }
  heif_writer writer = {1, keep};
  if (!error.code) error = heif.context_write(context, &writer, result);
  // The message is copied before its owner is freed.
  if (error.code && error.message) strncpy(result->message, error.message, sizeof result->message - 1);
  if (image) heif.image_release(image);
  if (encoder) heif.encoder_release(encoder);
  heif.context_free(context);
  return !error.code;
}
