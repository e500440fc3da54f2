// Stretches a row of parallax over a wider frame.
static void NAME(stretch_line)(
    size_t n, const int32_t *restrict upper, float upper_share, const int32_t *restrict lower, float lower_share,
    float *restrict blended, size_t count, const int32_t *restrict first, const int32_t *restrict second,
    const float *restrict first_share, const float *restrict second_share, int32_t *restrict out) {
  // Adding and subtracting 1.5·2²³ rounds to the nearest integer, ties to even.
  const float magic = 12582912.0f;
  for (size_t i = 0; i < n; i++) blended[i] = (float)upper[i] * upper_share + (float)lower[i] * lower_share;
  for (size_t i = 0; i < count; i++) {
    const float value = blended[first[i]] * first_share[i] + blended[second[i]] * second_share[i];
    out[i] = (int32_t)((value + magic) - magic);
  }
}
