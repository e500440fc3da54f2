// Quantizes the keys of one attention head to signed 8 bits, with one scale per key: the key's largest magnitude / 127. The
// keys' mean is subtracted first. The mean would add the same number to all scores of a query, which does not change the
// softmax, and would leave few quantized values for the differences between keys.
//
// > Source: J. Zhang et al. "SageAttention: Accurate 8-Bit Attention for Plug-and-play Inference Acceleration." ICLR 2025.
// > arXiv:2410.02367, section 4.2, smoothing of K.
static void NAME(quantize_keys)(const ck_quantized_keys *p) {
  for (size_t i = 0; i < p->columns; i += LANES) {
    V sum = {0};
    for (size_t row = 0; row < p->rows; row++) {
      // Prefetches a whole later row for all sums, because hardware does not prefetch rows that are parts of much longer rows.
      if (i == 0)
        for (size_t c = 0; c < p->columns; c += 16)
          __builtin_prefetch(p->x + (row + 8) * p->stride + c, 0, 2);
      sum += NAME(load)(p->x + row * p->stride + i);
    }
    NAME(store)(p->mean + i, sum / (float)p->rows);
  }
  const VI magnitude = ~(VI)NAME(splat)(-0.0f);
  for (size_t row = 0; row < p->rows; row++) {
    const float *x = p->x + row * p->stride;
    V largest = {0};
    for (size_t i = 0; i < p->columns; i += LANES) {
      const V difference = NAME(load)(x + i) - NAME(load)(p->mean + i);
      largest = NAME(larger)((V)((VI)difference & magnitude), largest);
    }
    const float top = NAME(largest_of_lanes)(largest);
    const V factor = NAME(splat)(top > 0 ? 127.0f / top : 0.0f);
    VI sum = {0};
    for (size_t i = 0; i < p->columns; i += LANES) {
      const V difference = NAME(load)(x + i) - NAME(load)(p->mean + i);
      const VB quantized = NAME(quantized)(difference * factor + NAME(splat)(128.0f));
      sum += __builtin_convertvector(quantized, VI) - 128;
      const VB centered = quantized ^ 128;
      memcpy(p->quantized + row * p->columns + i, &centered, sizeof centered);
    }
    int32_t total = 0;
    for (size_t lane = 0; lane < LANES; lane++) total += sum[lane];
    p->scales[row] = top / 127.0f;
    p->initial[row] = -128 * total;
  }
}
