#ifndef CK_PNG_H
#define CK_PNG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Row filters of PNG files.
typedef struct {
  /// Filters a row of n bytes, `bpp` bytes per pixel, for PNG. y[0] is the type of the filter whose bytes, as signed
  /// numbers, have the smallest sum of magnitudes (the lowest type among equals). The next n bytes are the filtered row.
  void (*_Nonnull png_filter)(size_t n, size_t bpp, const uint8_t *_Nonnull x,
                              const uint8_t *_Nonnull above, uint8_t *_Nonnull y);

  /// Filters a row of n bytes of 16-bit gray samples by the filter of lowest cost. A residual equal to its predecessor
  /// costs nothing; any other residual costs 32 plus the magnitudes of its two bytes. The first residual's predecessor
  /// is 0.
  void (*_Nonnull png_filter16)(size_t n, const uint8_t *_Nonnull x,
                                const uint8_t *_Nonnull above, uint8_t *_Nonnull y);

  /// The 16-bit samples of n values, big-endian: round((x - offset) / step), halves up, within 1…65535 (1 if step is not
  /// positive). Values that are not finite become 0, and with `positive` also values that are not positive.
  void (*_Nonnull png_samples16)(size_t n, bool positive, double offset, double step,
                                 const float *_Nonnull x, uint8_t *_Nonnull y);
} ck_png_kernels;
#endif
