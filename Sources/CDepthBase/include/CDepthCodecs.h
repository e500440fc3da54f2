#pragma once

// Decodes HEIC, AVIF and WebP pictures in a child process, by libheif and libwebp, which are loaded when the first such picture
// comes. A damaged picture can then end only the child.

#include "CDepthSandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libheif and its plugins; false where it is not installed.
bool cdc_load_heif(void);

/// Loads libwebp, unless it is linked in; false where it is not installed.
bool cdc_load_webp(void);

typedef enum {
  /// The primary picture of a HEIF file with Exif block and color profile.
  CDC_HEIF_PHOTO,
  /// The depth picture that belongs to it, in gray.
  CDC_HEIF_DEPTH,
  /// A WebP picture that is no animation.
  CDC_WEBP,
} cdc_task;

/// The numbers of `heif_compression_format`.
typedef enum { CDC_HEVC = 1, CDC_AV1 = 4 } cdc_compression;

typedef enum {
  CDC_UNDECODED,
  CDC_DECODED,
  /// The library says in `message` what is wrong.
  CDC_REFUSED,
  /// The decoded picture has not the size that was expected.
  CDC_OTHER_SIZE,
  /// The photo has no depth picture.
  CDC_NO_DEPTH,
  /// libheif has no decoder for the compression.
  CDC_NO_DECODER,
} cdc_status;

/// Bytes behind the result; `offset` counts from its beginning, 0 means none.
typedef struct {
  uint64_t offset, count;
} cdc_block;

/// What the child says, at the beginning of memory that it shares with its parent. A hostile picture may have written it.
typedef struct {
  volatile int32_t is_done;
  int32_t status;
  uint64_t capacity, used;
  /// Of the pixels: those of a photo are RGB, those of a depth picture gray.
  int32_t width, height;
  cdc_block pixels;
  cdc_block exif, profile;
  /// XMP that belongs to a depth picture.
  cdc_block packet;
  /// The number of `heif_depth_representation_type`, with z_near and z_far, or -1.
  int32_t representation;
  double z_near, z_far;
  char message[256];
} cdc_result;

typedef struct {
  cdc_task task;
  const uint8_t *bytes;
  size_t count;
  /// The size of the photo.
  int32_t width, height;
  /// Of HEIF files.
  cdc_compression compression;
  /// Of WebP files.
  bool has_alpha;
  cdc_result *result;
} cdc_request;

/// Decodes a picture in a child process whose library was loaded. Returns false if no process could be started; errno has the reason.
bool cdc_decode(const cdc_request *request, cds_limits limits, cds_outcome *outcome);

/// Bytes 255 for a transparent picture become white paper behind its colors: `count` pixels of four bytes become three in place.
void cdc_flatten(uint8_t *pixels, size_t count, bool is_premultiplied);
