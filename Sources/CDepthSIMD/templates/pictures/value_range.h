// The smallest and largest finite value of a row (with `positive`, only of values above 0), and the number of
// other values.

static void NAME(value_range)(
    size_t n, bool positive, const float *restrict x, float *restrict low, float *restrict high, size_t *restrict missing) {
  const float infinity = __builtin_inff(), floor = positive ? 0.0f : -infinity;
  const V zero = {0}, most = zero + infinity;
  V smallest = most, largest = -most;
  VI present = {0};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V v = *(const V *)(x + i);
    const VI valid = (v > floor) & (v < infinity);
    const V lower = (V)(((VI)v & valid) | ((VI)most & ~valid));
    const V upper = (V)(((VI)v & valid) | ((VI)(-most) & ~valid));
    smallest = __builtin_elementwise_min(smallest, lower);
    largest = __builtin_elementwise_max(largest, upper);
    present -= valid;
  }
  float least = infinity, greatest = -infinity;
  size_t count = 0;
  for (int lane = 0; lane < LANES; lane++) {
    least = smallest[lane] < least ? smallest[lane] : least;
    greatest = largest[lane] > greatest ? largest[lane] : greatest;
    count += (size_t)present[lane];
  }
  for (; i < n; i++)
    if (x[i] > floor && x[i] < infinity) {
      least = x[i] < least ? x[i] : least;
      greatest = x[i] > greatest ? x[i] : greatest;
      count++;
    }
  *low = least, *high = greatest, *missing = n - count;
}
