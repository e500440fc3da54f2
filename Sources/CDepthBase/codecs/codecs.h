#pragma once

#include "../include/CDepthCodecs.h"

/// Opens the first installed library of a list of names that ends with NULL; returns NULL if no library is installed.
void *cdc_open(const char *const *names);

/// Allocates `count` bytes after the result; NULL if the bytes do not fit.
uint8_t *cdc_room(cdc_result *result, uint64_t count, cdc_block *block);

void cdc_decode_heif(const cdc_request *request);
void cdc_decode_webp(const cdc_request *request);

typedef struct heif_image_handle heif_image_handle;

/// Decodes a photo's samples as stored; returns false and stores the status on failure.
bool cdc_decode_heif_samples(const cdc_request *request, const heif_image_handle *handle);

/// Copies the luma of a monochrome picture as 8 bits without converting its range. Returns false if the picture has colors or
/// cannot be decoded.
bool cdc_copy_luma(const cdc_request *request, const heif_image_handle *handle, int width, int height);
