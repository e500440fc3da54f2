#ifndef CK_PNG_H
#define CK_PNG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Row filters of PNG files.
typedef struct {
  /// Filters a row of n bytes, `bpp` bytes per pixel, for PNG: y[0] is the type of the filter whose
  /// bytes, as signed numbers, have the smallest sum of magnitudes (the lowest type among equals),
  /// and the n bytes after it are the filtered row.
  void (*_Nonnull png_filter)(size_t n, size_t bpp, const uint8_t *_Nonnull x,
                              const uint8_t *_Nonnull above, uint8_t *_Nonnull y);

  /// Filters a row of n bytes that are 16-bit gray samples: of all filters, the one with the lowest cost, where a
  /// residual that equals the one before it costs nothing, and any other one 32 and the magnitudes of
  /// its two bytes. Before the first residual there is a 0.
  void (*_Nonnull png_filter16)(size_t n, const uint8_t *_Nonnull x,
                                const uint8_t *_Nonnull above, uint8_t *_Nonnull y);

  /// The 16-bit samples of n values, most significant byte first: the integer nearest to (x - offset) / step, halves up,
  /// within 1…65535 (1 if step is not positive); 0 for what is not finite and, with `positive`, not positive.
  void (*_Nonnull png_samples16)(size_t n, bool positive, double offset, double step,
                                 const float *_Nonnull x, uint8_t *_Nonnull y);
} ck_png_kernels;
#endif
