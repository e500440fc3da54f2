// Reduces weights where a map is steep.

/// Half the difference of both neighbors; 0 unless the map rises or falls on both sides.
INLINE float NAME(slope)(bool missing, const float *value, const float *weight, ptrdiff_t step) {
  const float before = *value - value[-step], after = value[step] - *value;
  const bool seen = !missing | ((weight[-step] > 0) & (weight[step] > 0));
  const bool climbs = before * after > 0;
  return (climbs & seen) ? (before + after) * 0.5f : 0;
}

INLINE float NAME(slope_weight)(size_t width, bool between, bool inside, bool missing, bool relative,
                                float tolerance, const float *value, const float *weight) {
  const float across = between ? NAME(slope)(missing, value, weight, 1) : 0;
  const float down = inside ? NAME(slope)(missing, value, weight, (ptrdiff_t)width) : 0;
  const float limit = tolerance * (relative ? *value : 1);
  const float square = limit * limit;
  const float share = (across * across + down * down) / (FLT_MIN >= square ? FLT_MIN : square);
  // The weight is never exactly 0, which would mean a pixel without a value.
  const float kept = 1 / (1 + share), least = 1e-6f;
  const float result = *weight * (least >= kept ? least : kept);
  const bool known = !missing | (*weight > 0);
  return known ? result : 0;
}

INLINE void NAME(slope_row)(size_t width, bool inside, bool missing, bool relative, float tolerance,
                            const float *restrict values, const float *restrict weights,
                            float *restrict out) {
  for (size_t x = 1; x + 1 < width; x++)
    out[x] = NAME(slope_weight)(
        width, true, inside, missing, relative, tolerance, values + x, weights + x);
  const size_t last = width - 1;
  out[0] = NAME(slope_weight)(width, false, inside, missing, relative, tolerance, values, weights);
  out[last] = NAME(slope_weight)(
      width, false, inside, missing, relative, tolerance, values + last, weights + last);
}

static void NAME(slope_weights)(size_t width, bool inside, bool missing, bool relative, float tolerance,
                                const float *restrict values, const float *restrict weights,
                                float *restrict out) {
  // A separate branch-free loop for each kind of row.
  if (inside && missing)
    NAME(slope_row)(width, true, true, relative, tolerance, values, weights, out);
  else if (inside)
    NAME(slope_row)(width, true, false, relative, tolerance, values, weights, out);
  else
    NAME(slope_row)(width, false, missing, relative, tolerance, values, weights, out);
}
