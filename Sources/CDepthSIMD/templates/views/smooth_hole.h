// Averages along the columns of a gap, over invented pixels only.

/// Weights of 2·radius + 1 taps for the radii 1…7.
static const uint32_t NAME(binomials)[7][15] = {
    {1, 2, 1},
    {1, 4, 6, 4, 1},
    {1, 6, 15, 20, 15, 6, 1},
    {1, 8, 28, 56, 70, 56, 28, 8, 1},
    {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1},
    {1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1},
    {1, 14, 91, 364, 1001, 2002, 3003, 3432, 3003, 2002, 1001, 364, 91, 14, 1},
};

static void NAME(smooth_hole)(
    size_t height, size_t width, size_t row, size_t start, size_t end, bool takes_left, bool takes_right,
    const uint8_t *restrict pixels, const uint8_t *restrict holes, uint8_t *restrict out) {
  for (size_t x = start; x < end; x++, out += 3) {
    size_t distance = 6;
    if (takes_left && x - start < distance) distance = x - start;
    if (takes_right && end - 1 - x < distance) distance = end - 1 - x;
    const size_t radius = distance + 1;
    const size_t top = row > radius ? row - radius : 0;
    const size_t bottom = row + radius < height ? row + radius : height - 1;
    uint32_t red = 0, green = 0, blue = 0, total = 0;
    // At most 15 rows are too few for vectors.
#pragma clang loop vectorize(disable)
    for (size_t y = top; y <= bottom; y++) {
      const size_t at = y * width + x;
      const uint32_t weight = holes[at] ? NAME(binomials)[distance][y + radius - row] : 0;
      red += weight * pixels[3 * at];
      green += weight * pixels[3 * at + 1];
      blue += weight * pixels[3 * at + 2];
      total += weight;
    }
    const uint32_t half = total / 2;
    out[0] = (uint8_t)((red + half) / total);
    out[1] = (uint8_t)((green + half) / total);
    out[2] = (uint8_t)((blue + half) / total);
  }
}
