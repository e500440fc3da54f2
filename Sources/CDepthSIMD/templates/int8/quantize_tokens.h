// The largest magnitude of some floats; 0 for no floats.
static float NAME(largest_magnitude)(size_t count, const float *x) {
  V largest[2] = {{0}, {0}};
  const VI magnitude = ~(VI)NAME(splat)(-0.0f);
  for (size_t i = 0; i < count; i += 2 * LANES) {
    const size_t left = count - i, n = left < LANES ? left : LANES;
    const size_t m = left < 2 * LANES ? left - n : LANES;
    largest[0] = NAME(larger)((V)((VI)NAME(load_first)(x + i, n) & magnitude), largest[0]);
    if (m)
      largest[1] = NAME(larger)((V)((VI)NAME(load_first)(x + i + LANES, m) & magnitude), largest[1]);
  }
  return NAME(largest_of_lanes)(NAME(larger)(largest[0], largest[1]));
}

// Quantizes tokens to 8 bits around 128, with one scale per token: the token's largest magnitude / 127.
//
// > Source: T. Dettmers et al. "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale." NeurIPS 2022.
// > arXiv:2208.07339, section 2.1, absmax quantization of rows.
static void NAME(quantize_tokens)(size_t rows, size_t columns, const float *x, size_t stride,
                                  uint8_t *quantized, size_t quantized_stride, float *scales) {
  for (size_t row = 0; row < rows; row++, x += stride, quantized += quantized_stride) {
    // Rows may be parts of much longer rows, which hardware does not prefetch.
    for (size_t i = 0; i < columns; i += 16) __builtin_prefetch(x + 4 * stride + i, 0, 3);
    const float top = NAME(largest_magnitude)(columns, x);
    scales[row] = top / 127.0f;
    NAME(quantize)(columns, x, top > 0 ? 127.0f / top : 0.0f, 128.0f, quantized);
  }
}
