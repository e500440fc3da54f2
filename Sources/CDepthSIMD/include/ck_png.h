#ifndef CK_PNG_H
#define CK_PNG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Row filters of PNG files.
typedef struct {
  /// Filters a row of n bytes, `bpp` bytes a pixel, for PNG: y[0] is the type of the filter whose bytes,
  /// as signed numbers, have the smallest sum of magnitudes (the lowest type among equals), and the
  /// n bytes behind it are the filtered row.
  void (*_Nonnull png_filter)(size_t n, size_t bpp, const uint8_t *_Nonnull x,
                              const uint8_t *_Nonnull above, uint8_t *_Nonnull y);

  /// Undoes the filters of a PNG of 16-bit grey samples: `filtered` has 1 + 2·width bytes a row, the first
  /// of which names the row's filter. False when it names none.
  bool (*_Nonnull png_unfilter16)(size_t rows, size_t width, const uint8_t *_Nonnull filtered,
                                  uint16_t *_Nonnull samples);
} ck_png_kernels;
#endif
