#pragma once

// Decodes HEIC, AVIF and WebP pictures in a child process, by libheif and libwebp, which are loaded when the first such picture
// comes. A damaged picture can then end only the child.

#include "CDepthSandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libheif and its plugins; false where it is not installed.
bool cdc_load_heif(void);

/// The version of libheif, which must be loaded.
const char *cdc_heif_version(void);

/// Loads libwebp, unless it is linked in; false where it is not installed.
bool cdc_load_webp(void);

typedef enum {
  /// The primary picture of a HEIF file with Exif block and color profile.
  CDC_HEIF_PHOTO,
  /// The depth picture that belongs to it, in gray.
  CDC_HEIF_DEPTH,
  /// A WebP picture that is not an animation.
  CDC_WEBP,
} cdc_task;

typedef enum {
  /// RGB of 8 bits; transparent pixels are drawn over white.
  CDC_RGB,
  /// RGB or RGBA as stored, with all bits.
  CDC_ALL_BITS,
  /// The luma of a monochrome picture as stored.
  CDC_LUMA,
} cdc_samples;

/// The numbers of `heif_compression_format`.
typedef enum { CDC_HEVC = 1, CDC_AV1 = 4 } cdc_compression;

typedef enum {
  CDC_UNDECODED,
  CDC_DECODED,
  /// The library says in `message` what is wrong.
  CDC_REFUSED,
  /// The decoded picture does not have the expected size.
  CDC_OTHER_SIZE,
  /// The photo has no depth picture.
  CDC_NO_DEPTH,
  /// libheif lacks a decoder for the compression.
  CDC_NO_DECODER,
} cdc_status;

/// Bytes after the result; `offset` is relative to its start, 0 for none.
typedef struct {
  uint64_t offset, count;
} cdc_block;

/// Result of the child, at the start of the shared memory. Untrusted: code that a hostile picture took over may have written it.
typedef struct {
  volatile int32_t is_done;
  int32_t status;
  uint64_t capacity, used;
  /// Size of `pixels`, which are RGB for a photo and gray for a depth picture.
  int32_t width, height;
  cdc_block pixels;
  /// Bits of each sample for CDC_ALL_BITS and CDC_LUMA, above 8 in two bytes, the less significant first; samples of a pixel;
  /// whether colors are multiplied by opacity; whether black is 16 and white 235, in 8 bits.
  int32_t bits, channels, is_premultiplied, is_limited;
  /// Samples of the alpha picture for CDC_LUMA.
  cdc_block opacity;
  cdc_block exif, profile;
  /// XMP that belongs to a depth picture.
  cdc_block packet;
  /// The number of `heif_depth_representation_type`, with z_near and z_far, or -1.
  int32_t representation;
  double z_near, z_far;
  char message[256];
  /// Whether libheif has read the boxes; the code of its error.
  int32_t is_open, error;
} cdc_result;

typedef struct {
  cdc_task task;
  const uint8_t *bytes;
  size_t count;
  /// The size of the photo.
  int32_t width, height;
  /// HEIF only: its size before it is turned and cropped.
  int32_t stored_width, stored_height;
  /// HEIF only.
  cdc_compression compression;
  cdc_samples samples;
  /// The most pixels that a depth picture may have.
  int64_t depth_pixels;
  /// WebP only.
  bool has_alpha;
  cdc_result *result;
} cdc_request;

/// Starts to decode a picture in a child process, after its library was loaded. Returns false if no process could be started; errno has
/// the reason.
bool cdc_start(const cdc_request *request, cds_limits limits, cds_child *started);

/// Whether libheif, which must be loaded, has an encoder for HEVC.
bool cdc_has_hevc_encoder(void);

typedef struct {
  /// A file, to be freed by the caller.
  uint8_t *bytes;
  size_t count;
  char message[256];
} cdc_encoded;

/// Compresses RGB of 8 bits as HEVC, to a HEIC file in memory, by libheif, which must be loaded; `quality` is 0…100. If it fails, says
/// why in the message of the result, which must be zeros before.
bool cdc_encode_heic(const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, cdc_encoded *result);

/// Blends RGBA pixels over white, in place: `count` pixels of four bytes become three.
void cdc_flatten(uint8_t *pixels, size_t count, bool is_premultiplied);
