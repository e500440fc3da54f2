#pragma once

#include "../include/CDepthCodecs.h"

/// The first library of these names that the system has, or NULL. The list ends with NULL.
void *cdc_open(const char *const *names);

/// Allocates `count` bytes after the result; NULL if they do not fit.
uint8_t *cdc_room(cdc_result *result, uint64_t count, cdc_block *block);

void cdc_decode_heif(const cdc_request *request);
void cdc_decode_webp(const cdc_request *request);
