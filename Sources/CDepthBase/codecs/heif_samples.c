#include "codecs.h"
#include "heif.h"

#include <string.h>

/// Copies a single channel or interleaved channels, with `channels` samples per pixel. Returns the bits per sample; 0 for
/// another size.
static int copy_channel(const cdc_request *request, const heif_image *image, int32_t channel, int channels, cdc_block *block) {
  int stride = 0;
  const int bits = cdc_heif.image_get_bits_per_pixel_range(image, channel);
  const uint8_t *rows = cdc_heif.image_get_plane_readonly(image, channel, &stride);
  if (!rows || bits < 1 || bits > 16 || cdc_heif.image_get_width(image, channel) != request->width ||
      cdc_heif.image_get_height(image, channel) != request->height) return 0;
  const uint64_t count = (uint64_t)request->width * (uint64_t)channels * (bits > 8 ? 2 : 1), height = (uint64_t)request->height;
  uint8_t *room = stride > 0 && (uint64_t)stride >= count ? cdc_room(request->result, count * height, block) : NULL;
  if (!room) return 0;
  for (uint64_t y = 0; y < height; y++) memcpy(room + y * count, rows + y * (uint64_t)stride, count);
  return bits;
}

/// Decodes RGB or RGBA with full bit depth.
static bool decode_colors(const cdc_request *request, const heif_image_handle *handle, bool has_alpha) {
  const bool is_deep = cdc_heif.image_handle_get_luma_bits_per_pixel(handle) > 8;
  heif_image *image = NULL;
  int32_t chroma = has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  if (is_deep) chroma = has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
  if (!cdc_heif_is_fine(request, cdc_heif.decode_image(handle, &image, heif_colorspace_RGB, chroma, NULL))) return false;
  request->result->channels = has_alpha ? 4 : 3;
  if (image) {
    request->result->bits =
        copy_channel(request, image, heif_channel_interleaved, request->result->channels, &request->result->pixels);
  }
  return true;
}

/// Decodes the luma of a monochrome picture; false if the decoder returns colors.
static bool decode_luma(const cdc_request *request, const heif_image_handle *handle, bool has_alpha) {
  cdc_result *result = request->result;
  heif_image *image = NULL;
  if (cdc_heif.decode_image(handle, &image, heif_colorspace_undefined, heif_chroma_undefined, NULL).code || !image ||
      cdc_heif.image_get_colorspace(image) != heif_colorspace_monochrome) return false;
  result->channels = 1;
  result->bits = copy_channel(request, image, heif_channel_Y, 1, &result->pixels);
  // The box has precedence over the compressed picture. If the range is not stated, the range is full.
  heif_color_profile_nclx *color = NULL;
  if (cdc_heif.image_handle_get_nclx_color_profile(handle, &color).code || !color)
    (void)cdc_heif.image_get_nclx_color_profile(image, &color);
  if (color) result->is_limited = !color->full_range_flag;
  if (has_alpha && copy_channel(request, image, heif_channel_Alpha, 1, &result->opacity) != result->bits)
    result->opacity = (cdc_block){0, 0};
  return true;
}

bool cdc_decode_heif_samples(const cdc_request *request, const heif_image_handle *handle) {
  cdc_result *result = request->result;
  const bool has_alpha = cdc_heif.image_handle_has_alpha_channel(handle);
  const bool is_luma = request->samples == CDC_LUMA && decode_luma(request, handle, has_alpha);
  if (!is_luma && !decode_colors(request, handle, has_alpha)) return false;
  if (!result->bits) {
    result->status = CDC_OTHER_SIZE;
    return false;
  }
  result->is_premultiplied = has_alpha && cdc_heif.image_handle_is_premultiplied_alpha(handle);
  result->width = request->width;
  result->height = request->height;
  return true;
}

bool cdc_copy_luma(const cdc_request *request, const heif_image_handle *handle, int width, int height) {
  heif_image *image = NULL;
  if (cdc_heif.decode_image(handle, &image, heif_colorspace_undefined, heif_chroma_undefined, NULL).code || !image ||
      cdc_heif.image_get_colorspace(image) != heif_colorspace_monochrome) return false;
  int stride = 0;
  const int bits = cdc_heif.image_get_bits_per_pixel_range(image, heif_channel_Y);
  const uint8_t *rows = cdc_heif.image_get_plane_readonly(image, heif_channel_Y, &stride);
  if (!rows || bits < 8 || bits > 16 || cdc_heif.image_get_width(image, heif_channel_Y) != width ||
      cdc_heif.image_get_height(image, heif_channel_Y) != height || stride < width * (bits > 8 ? 2 : 1)) return false;
  uint8_t *room = cdc_room(request->result, (uint64_t)width * (uint64_t)height, &request->result->pixels);
  if (!room) return false;
  for (int y = 0; y < height; y++, rows += stride) {
    for (int x = 0; x < width; x++) {
      uint16_t sample = rows[x];
      if (bits > 8) memcpy(&sample, rows + 2 * x, sizeof sample);
      *room++ = (uint8_t)(sample >> (bits - 8));
    }
  }
  return true;
}
