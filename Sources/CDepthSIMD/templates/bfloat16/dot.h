/// Adds to each lane its two products, a[1] · b[1] and then a[0] · b[0].
INLINE V NAME(dot)(V sum, VI a, VI b) { return BFLOAT16_DOT(sum, a, b); }
