#pragma once

// Decodes HEIC, AVIF and WebP pictures with libheif and libwebp in a child process, so that damaged pictures can crash only the
// child. The libraries are loaded on first use.

#include "CDepthSandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libheif and its plugins; false if libheif is not installed.
bool cdc_load_heif(void);

/// The version of libheif, which must be loaded.
const char *cdc_heif_version(void);

/// Loads libwebp, unless libwebp is linked in; false if libwebp is not installed.
bool cdc_load_webp(void);

typedef enum {
  /// The primary picture of a HEIF file with Exif block and color profile.
  CDC_HEIF_PHOTO,
  /// The depth picture of the primary picture, in gray.
  CDC_HEIF_DEPTH,
  /// A WebP picture that is not an animation.
  CDC_WEBP,
} cdc_task;

typedef enum {
  /// 8-bit RGB, with transparent pixels drawn over white.
  CDC_RGB,
  /// RGB or RGBA as stored, with full bit depth.
  CDC_ALL_BITS,
  /// The luma of a monochrome picture as stored.
  CDC_LUMA,
} cdc_samples;

/// The numbers of `heif_compression_format`.
typedef enum { CDC_HEVC = 1, CDC_AV1 = 4 } cdc_compression;

typedef enum {
  CDC_UNDECODED,
  CDC_DECODED,
  /// The library's error is in `message`.
  CDC_REFUSED,
  /// The decoded picture does not have the expected size.
  CDC_OTHER_SIZE,
  /// The photo has no depth picture.
  CDC_NO_DEPTH,
  /// libheif lacks a decoder for the compression.
  CDC_NO_DECODER,
} cdc_status;

/// Bytes after the result. `offset` is relative to the result's start, 0 for no bytes.
typedef struct {
  uint64_t offset, count;
} cdc_block;

/// The child's result at the start of the shared memory. It is untrusted, because a malicious picture may have taken over the
/// child.
typedef struct {
  volatile int32_t is_done;
  int32_t status;
  uint64_t capacity, used;
  /// The size of `pixels`. Photos have RGB pixels. Depth pictures have gray pixels.
  int32_t width, height;
  cdc_block pixels;
  /// Properties for CDC_ALL_BITS and CDC_LUMA: bits per sample; samples per pixel; whether colors are premultiplied by alpha;
  /// whether the range is limited, from 16 to 235 in 8 bits. Above 8 bits, a sample has two bytes, low byte first.
  int32_t bits, channels, is_premultiplied, is_limited;
  /// Samples of the alpha picture for CDC_LUMA.
  cdc_block opacity;
  cdc_block exif, profile;
  /// XMP of a depth picture.
  cdc_block packet;
  /// The number of `heif_depth_representation_type`, with z_near and z_far; -1 for none.
  int32_t representation;
  double z_near, z_far;
  char message[256];
  /// Whether libheif has parsed the boxes, and its error code.
  int32_t is_open, error;
} cdc_result;

typedef struct {
  cdc_task task;
  const uint8_t *bytes;
  size_t count;
  /// The size of the photo.
  int32_t width, height;
  /// The size before rotation and cropping, for HEIF only.
  int32_t stored_width, stored_height;
  /// HEIF only.
  cdc_compression compression;
  cdc_samples samples;
  /// Maximum pixels of a depth picture.
  int64_t depth_pixels;
  /// WebP only.
  bool has_alpha;
  cdc_result *result;
} cdc_request;

/// Starts decoding a picture in a child process. The decoder's library must be loaded. Returns false and sets errno if no
/// process could be started.
bool cdc_start(const cdc_request *request, cds_limits limits, cds_child *started);

/// Whether libheif, which must be loaded, has an HEVC encoder.
bool cdc_has_hevc_encoder(void);

typedef struct {
  /// A file, to be freed by the caller.
  uint8_t *bytes;
  size_t count;
  char message[256];
} cdc_encoded;

/// Encodes 8-bit RGB as HEVC in a HEIC file in memory. libheif must be loaded, `quality` is 0…100, and `result` must be zeroed.
/// On failure, the result's message contains the reason.
bool cdc_encode_heic(const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, cdc_encoded *result);

/// Blends RGBA pixels with white in place: `count` pixels of four bytes become pixels of three bytes.
void cdc_flatten(uint8_t *pixels, size_t count, bool is_premultiplied);
