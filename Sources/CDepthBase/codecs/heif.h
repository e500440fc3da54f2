#pragma once

// The required declarations of libheif/heif.h, as of version 1.12.

#include "codecs.h"

#include <stddef.h>
#include <stdint.h>

typedef struct heif_context heif_context;
typedef struct heif_image heif_image;
typedef struct heif_encoder heif_encoder;
typedef uint32_t heif_item_id;

/// An error, returned by value. The first two fields are enumerations.
typedef struct {
  int32_t code, subcode;
  const char *message;
} heif_error;
_Static_assert(sizeof(heif_error) == 8 + sizeof(void *), "heif_error");

typedef struct {
  uint8_t version, has_z_near, has_z_far, has_d_min, has_d_max;
  double z_near, z_far, d_min, d_max;
  int32_t representation;  // heif_depth_representation_type
} heif_depth_representation_info;
_Static_assert(offsetof(heif_depth_representation_info, z_near) == 8 &&
                   offsetof(heif_depth_representation_info, representation) == 40,
               "heif_depth_representation_info");

typedef struct {
  int version;
  heif_error (*write)(heif_context *, const void *, size_t, void *);
} heif_writer;

/// Available since version 1.19.
typedef struct {
  uint8_t version;
  uint64_t max_image_size_pixels, max_number_of_tiles;
  uint32_t max_bayer_pattern_pixels, max_items, max_color_profile_size;
  uint64_t max_memory_block_size;
} heif_security_limits;
_Static_assert(offsetof(heif_security_limits, max_image_size_pixels) == 8 &&
                   offsetof(heif_security_limits, max_memory_block_size) == 40,
               "heif_security_limits");

/// The color fields are enumerations.
typedef struct {
  uint8_t version;
  int32_t color_primaries, transfer_characteristics, matrix_coefficients;
  uint8_t full_range_flag;
} heif_color_profile_nclx;
_Static_assert(offsetof(heif_color_profile_nclx, full_range_flag) == 16, "heif_color_profile_nclx");

enum { heif_error_Memory_allocation_error = 6, heif_colorspace_RGB = 1, heif_colorspace_monochrome = 2, heif_colorspace_undefined = 99,
       heif_chroma_monochrome = 0, heif_chroma_undefined = 99, heif_chroma_interleaved_RGB = 10,
       heif_chroma_interleaved_RGBA = 11, heif_chroma_interleaved_RRGGBB_LE = 14, heif_chroma_interleaved_RRGGBBAA_LE = 15,
       heif_channel_Y = 0, heif_channel_Alpha = 6, heif_channel_interleaved = 10 };

/// Names of functions without `heif_`. All functions are available in version 1.12. Pointers to options are
/// NULL.
#define HEIF_FUNCTIONS(F)                                                                                            \
  F(const char *, get_version, (void))                                                                               \
  F(heif_context *, context_alloc, (void))                                                                           \
  F(heif_error, context_read_from_memory_without_copy, (heif_context *, const void *, size_t, const void *))         \
  F(heif_error, context_get_primary_image_handle, (heif_context *, heif_image_handle **))                            \
  F(int, have_decoder_for_format, (int32_t))                                                                         \
  F(int, image_handle_get_width, (const heif_image_handle *))                                                        \
  F(int, image_handle_get_height, (const heif_image_handle *))                                                       \
  F(int, image_handle_has_alpha_channel, (const heif_image_handle *))                                                \
  F(int, image_handle_is_premultiplied_alpha, (const heif_image_handle *))                                           \
  F(int, image_handle_get_list_of_metadata_block_IDs,                                                                \
    (const heif_image_handle *, const char *, heif_item_id *, int))                                                  \
  F(size_t, image_handle_get_metadata_size, (const heif_image_handle *, heif_item_id))                               \
  F(heif_error, image_handle_get_metadata, (const heif_image_handle *, heif_item_id, void *))                        \
  F(size_t, image_handle_get_raw_color_profile_size, (const heif_image_handle *))                                    \
  F(heif_error, image_handle_get_raw_color_profile, (const heif_image_handle *, void *))                             \
  F(int, image_handle_get_list_of_depth_image_IDs, (const heif_image_handle *, heif_item_id *, int))                 \
  F(heif_error, image_handle_get_depth_image_handle, (const heif_image_handle *, heif_item_id, heif_image_handle **)) \
  F(int, image_handle_get_depth_image_representation_info,                                                           \
    (const heif_image_handle *, heif_item_id, const heif_depth_representation_info **))                              \
  F(heif_error, decode_image, (const heif_image_handle *, heif_image **, int32_t, int32_t, const void *))            \
  F(int, image_get_width, (const heif_image *, int32_t))                                                             \
  F(int, image_get_height, (const heif_image *, int32_t))                                                            \
  F(int, image_handle_get_luma_bits_per_pixel, (const heif_image_handle *))                                          \
  F(int, image_get_bits_per_pixel_range, (const heif_image *, int32_t))                                              \
  F(int32_t, image_get_colorspace, (const heif_image *))                                                             \
  F(heif_error, image_handle_get_nclx_color_profile, (const heif_image_handle *, heif_color_profile_nclx **))        \
  F(heif_error, image_get_nclx_color_profile, (const heif_image *, heif_color_profile_nclx **))                      \
  F(const uint8_t *, image_get_plane_readonly, (const heif_image *, int32_t, int *))

/// Functions for encoding; a library without them can still decode.
#define HEIF_ENCODER_FUNCTIONS(F)                                                                                    \
  F(void, context_free, (heif_context *))                                                                            \
  F(int, have_encoder_for_format, (int32_t))                                                                         \
  F(heif_error, context_get_encoder_for_format, (heif_context *, int32_t, heif_encoder **))                          \
  F(heif_error, encoder_set_lossy_quality, (heif_encoder *, int))                                                    \
  F(heif_error, encoder_set_parameter_string, (heif_encoder *, const char *, const char *))                          \
  F(void, encoder_release, (heif_encoder *))                                                                         \
  F(heif_error, image_create, (int, int, int32_t, int32_t, heif_image **))                                           \
  F(heif_error, image_add_plane, (heif_image *, int32_t, int, int, int))                                             \
  F(uint8_t *, image_get_plane, (heif_image *, int32_t, int *))                                                      \
  F(void, image_release, (const heif_image *))                                                                       \
  F(heif_error, context_encode_image,                                                                                \
    (heif_context *, const heif_image *, heif_encoder *, const void *, heif_image_handle **))                        \
  F(heif_error, context_write, (heif_context *, heif_writer *, void *))

/// Functions introduced in versions 1.13 and 1.19, NULL in earlier versions.
#define HEIF_LATER_FUNCTIONS(F)         \
  F(heif_error, init, (void *))         \
  F(heif_security_limits *, context_get_security_limits, (const heif_context *))

#define HEIF_POINTER(type, name, parameters) type(*name) parameters;
/// The functions of the loaded library.
typedef struct {
  HEIF_FUNCTIONS(HEIF_POINTER)
  HEIF_ENCODER_FUNCTIONS(HEIF_POINTER)
  HEIF_LATER_FUNCTIONS(HEIF_POINTER)
} heif_functions;
extern heif_functions cdc_heif;
/// Whether the library has all functions for encoding.
extern bool cdc_heif_encodes;

/// Whether a call succeeded; otherwise stores its status and message.
bool cdc_heif_is_fine(const cdc_request *request, heif_error error);
