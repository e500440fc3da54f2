/// Stores sum ÷ norm to the first `n` lanes of `out`; 0 if the norm is 0.
static inline void NAME(store_quotient)(size_t n, V sum, V norm, float *out) {
  V quotient = (V)((VI)(sum / norm) & (norm > 0));
  if (n >= LANES) {
    *(V *)out = quotient;
  } else {
    for (size_t i = 0; i < n; i++) out[i] = quotient[i];
  }
}
